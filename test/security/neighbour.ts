import { text } from 'node:stream/consumers';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';
import { startHttpServer } from '../harness/start-http-server.js';

/** The acts of an honest customer. Each resolves when it went through, and rejects when it failed. */
export interface Neighbour {
  readonly acts: Readonly<Record<string, () => Promise<void>>>;
  stop(): Promise<void>;
}

/** One alone takes so little that a single pause of the machine would be its time. */
const CHECKS = 20;

interface Body {
  readonly access: string;
  readonly api_key: string;
  readonly key: { readonly id: string };
  readonly job: { readonly id: string };
}

export async function createNeighbour(stack: TestStack): Promise<Neighbour> {
  const [base = ''] = stack.baseUrls;
  const messages: string[] = [];
  const receiver = await startHttpServer(async (incoming, response) => {
    messages.push(await text(incoming));
    response.end();
  });
  const { email, password, apiKey } = await stack.createAccount('growth');
  const byKey = { 'x-api-key': apiKey };
  const tell = async (wanted: number, path: string, request: Parameters<typeof http>[1] = {}) => {
    const answer = await http<Body>(`${base}${path}`, request);
    if (answer.status !== wanted) throw new Error(`${path} was answered ${answer.status}: ${answer.text}`);
    return answer;
  };
  const logIn = async () => {
    const { body } = await tell(200, 'auth/jwt/create/', { json: { email, password } });
    return { authorization: `Bearer ${body.access}` };
  };
  let headers = await logIn();
  await tell(201, 'webhooks/endpoints/', { headers, json: { url: receiver.url } });
  const check = (wanted: number, key: string) =>
    tell(wanted, 'check/', { headers: { 'x-api-key': key }, json: { email: 'jane@gmail.com' } });
  let revoked = '';
  let job = '';

  return {
    acts: {
      async checks() {
        for (let i = 0; i < CHECKS; i++) await check(200, apiKey);
      },
      async login() {
        headers = await logIn(); // the last token expires in a long run
      },
      async revocation() {
        const { body } = await tell(201, 'dashboard/keys/', { headers, json: { name: 'new' } });
        await check(200, body.api_key);
        await tell(200, `dashboard/keys/${body.key.id}/`, { method: 'DELETE', headers });
        await check(403, body.api_key);
        revoked = body.key.id;
      },
      // Right behind its cause: after another act it would have come already, and its time would be none.
      async webhook() {
        await eventually(() =>
          messages.some((message) => message.includes('key.revoked') && message.includes(revoked)),
        );
      },
      async page() {
        for (const path of ['dashboard/overview/', 'dashboard/logs/', 'policies/'])
          await tell(200, path, { headers });
      },
      async upload() {
        const csv = { ...byKey, 'content-type': 'text/csv' };
        job = (await tell(202, 'jobs/', { headers: csv, body: 'email\njane@gmail.com\n' })).body.job.id;
      },
      async download() {
        const { text: file } = await tell(200, `jobs/${job}/results.csv`, { headers: byKey });
        if (!file.includes('jane@gmail.com')) throw new Error(`the file was cut: ${file}`);
        await tell(200, `jobs/${job}/`, { method: 'DELETE', headers: byKey });
      },
    },
    stop: () => receiver.stop(),
  };
}
