import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { eventually } from '@verdict/local-stack/eventually.js';
import { VerdictError } from '@verdict/sdk';
import t from 'tap';
import { app as express } from '../../packages/sdk/examples/express.js';
import { app as fastify } from '../../packages/sdk/examples/fastify.js';
import { POST } from '../../packages/sdk/examples/next-route.js';

/** The API, as far as the examples see it; `proxy@` is answered by what is in front of it, and `used-up@` has no checks left. */
const ips: (string | undefined)[] = [];
const api = createServer(async (request, response) => {
  const { email, ip } = (await json(request)) as { email: string; ip?: string };
  ips.push(ip);
  const give = (status: number, body: object) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (email.startsWith('proxy@'))
    response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502</h1>');
  else if (email.startsWith('used-up@'))
    give(429, { error: 'used up', code: 'quota_exceeded', checks_used: 1_000, checks_limit: 1_000 });
  else if (!email.includes('@') || ip?.includes(' ') || ip === 'unknown')
    give(400, {
      error: 'email: has no @',
      code: 'invalid_request',
      errors: [{ field: 'email', message: 'has no @' }],
    });
  else give(200, { success: true, decision: email.startsWith('bad@') ? 'block' : 'allow' });
});
await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
const warnings: string[] = [];
const warn = (...words: unknown[]) => warnings.push(words.map(String).join(' '));
t.before(() => {
  t.intercept(console, 'warn', { value: warn });
});
fastify.addHook('onRequest', async (request) => {
  request.log = Object.assign(Object.create(request.log), { warn });
});
const web = express.listen(0, '127.0.0.1');
await fastify.listen({ port: 0, host: '127.0.0.1' });
t.teardown(async () => {
  for (const server of [api, web]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  await fastify.close();
});
const originOf = (server: { address(): AddressInfo | string | null }) =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
process.env.VERDICT_URL = originOf(api);
process.env.VERDICT_API_KEY = 'k';

type SignUp = (body: string | null, headers?: Record<string, string>) => Promise<Response>;
const signUps: Record<string, SignUp> = {
  express: (body, headers = {}) => fetch(`${originOf(web)}/sign-up`, { method: 'POST', body, headers }),
  fastify: (body, headers = {}) =>
    fetch(`${originOf(fastify.server)}/sign-up`, { method: 'POST', body, headers }),
  'next-route': (body, headers = {}) =>
    POST(new Request('http://app/sign-up', { method: 'POST', body, headers })),
};
const FALLBACK = { next: 'confirm-your-address' };
const JSON_TYPE = { 'content-type': 'application/json' };
const of = (email: unknown) => JSON.stringify({ email });

for (const [name, signUp] of Object.entries(signUps)) {
  t.test(`${name}: a person gets what they expect`, async (t) => {
    const told = async (body: string | null, headers: Record<string, string> = JSON_TYPE) => {
      const answer = await signUp(body, headers);
      return [answer.status, (await answer.json()) as { next?: string }] as const;
    };
    /** The examples wait a second, which a busy machine may need: then the fallback answers, and the person asks again. */
    const answered = (body: string | null, headers?: Record<string, string>) =>
      eventually(async () => {
        const [status, answer] = await told(body, headers);
        return answer.next !== FALLBACK.next && [status, answer];
      });
    t.strictSame(await answered(of('jane@b.example')), [200, { next: 'welcome' }]);
    t.strictSame(await answered(of('bad@b.example')), [403, { message: 'Please use another address.' }]);
    t.match(await answered(of('jane.gmail.com')), [400, { message: /^email: / }], 'a typing error is no 500');
    t.match(await answered('{}'), [400, { message: /^email: / }], 'no address');
    t.match(await answered(null, {}), [400, { message: /^email: / }], 'no body');
    for (const forwarded of ['203.0.113.7:51234', 'unknown']) {
      const headers = { ...JSON_TYPE, 'x-forwarded-for': forwarded };
      t.strictSame(await answered(of('jane@b.example'), headers), [200, { next: 'welcome' }], forwarded);
    }
    const hops = { ...JSON_TYPE, 'x-forwarded-for': '198.51.100.1, 203.0.113.7' };
    await answered(of('jane@b.example'), hops);
    t.equal(ips.at(-1), '203.0.113.7', 'what the own proxy saw, and not what the visitor wrote');
    t.strictSame(await told(of('proxy@b.example')), [200, FALLBACK], 'the fallback');
  });

  t.test(`${name}: a used-up month is logged as one, and not as an outage`, async (t) => {
    const loggedFor = (email: string, sentence: string) =>
      eventually(async () => {
        warnings.length = 0;
        t.equal((await signUp(of(email), JSON_TYPE)).status, 200);
        return warnings.some((warning) => warning.includes(sentence));
      });
    t.ok(await loggedFor('used-up@b.example', 'checks are used up'));
    t.ok(await loggedFor('proxy@b.example', 'no verdict'));
  });
}

t.test('express: a form does as well as JSON', async (t) => {
  const answer = await signUps.express?.('email=jane%40b.example', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  t.equal(answer?.status, 200);
});

t.test('a missing variable is named by the first sign-up, not by the build', async (t) => {
  process.env.VERDICT_API_KEY = '';
  const request = new Request('http://app/sign-up', { method: 'POST', body: of('jane@b.example') });
  const error = await POST(request).catch((thrown: unknown) => thrown);
  t.ok(error instanceof VerdictError);
  t.match(error, { code: 'not_configured', message: /VERDICT_API_KEY/ });
  const { status } = (await signUps.fastify?.(of('jane@b.example'), JSON_TYPE)) ?? {};
  t.equal(status, 500);
});
