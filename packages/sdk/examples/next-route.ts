import { Verdict, VerdictError } from '@verdict/sdk';

// VERDICT_URL and VERDICT_API_KEY come from the environment.
const verdict = new Verdict({ fallback: 'challenge' });

/** app/sign-up/route.ts */
export async function POST(request: Request): Promise<Response> {
  const body = (await request.json().catch(() => null)) as { email?: string } | null;
  // The last entry is what your own proxy saw; a visitor can write the ones before it.
  const ip = request.headers.get('x-forwarded-for')?.split(',').at(-1);
  try {
    const { decision, fallback } = await verdict.check({ email: body?.email ?? '', ip });
    if (fallback)
      console.warn(
        fallback.quotaUsedUp ? 'checks are used up' : 'no verdict',
        fallback.code,
        fallback.message,
      );
    return decision === 'block'
      ? Response.json({ message: 'Please use another address.' }, { status: 403 })
      : Response.json({ next: decision === 'allow' ? 'welcome' : 'confirm-your-address' });
  } catch (error) {
    if (!(error instanceof VerdictError) || error.code !== 'invalid_request') throw error;
    return Response.json({ message: error.message }, { status: 400 });
  }
}
