import { Verdict } from '@verdict/sdk';

const verdict = new Verdict({
  apiKey: process.env.VERDICT_API_KEY ?? '',
  baseUrl: process.env.VERDICT_URL ?? 'http://localhost:8080/api/v1/',
  fallback: 'challenge',
});

/** app/sign-up/route.ts */
export async function POST(request: Request): Promise<Response> {
  const { email } = (await request.json()) as { email: string };
  const { decision } = await verdict.check(email);
  return decision === 'block'
    ? Response.json({ message: 'Please use another address.' }, { status: 403 })
    : Response.json({ next: decision === 'allow' ? 'welcome' : 'confirm-your-address' });
}
