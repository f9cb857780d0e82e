import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { inRoot } from '@verdict/local-stack/paths.js';
import { Verdict } from '@verdict/sdk';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { emailOTP, genericOAuth, magicLink } from 'better-auth/plugins';
import t from 'tap';

const REFUSED = 'someone@throwaway.example';
const DOUBTED = 'doubt@example.com';
const ORIGIN = 'http://localhost:3000';
const PASSWORD = 'a long enough password';

/** The plugin as a customer has it: its own file beside an installed better-auth. */
async function installed() {
  const folder = t.testdir({});
  copyFileSync(inRoot('clients/better-auth/index.js'), join(folder, 'index.mjs'));
  symlinkSync(inRoot('test/node_modules'), join(folder, 'node_modules'));
  return (await import(pathToFileURL(join(folder, 'index.mjs')).href)) as {
    verdict: (
      options: object,
    ) => Parameters<typeof betterAuth>[0]['plugins'] extends (infer P)[] | undefined ? P : never;
  };
}
const { verdict } = await installed();

/** The people whom the identity provider vouches for, by the code that it hands out. */
const provider = createServer((request, reply) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://provider.local');
  reply.setHeader('content-type', 'application/json');
  if (pathname === '/token') {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part;
    });
    request.on('end', () => {
      const code = new URLSearchParams(body).get('code') ?? '';
      reply.end(JSON.stringify({ access_token: code, token_type: 'Bearer' }));
    });
    return;
  }
  const email = String(request.headers.authorization ?? searchParams.get('code')).replace(/^Bearer /, '');
  reply.end(JSON.stringify({ sub: email, email, name: 'Someone', email_verified: true }));
});
await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
t.teardown(() => provider.close());
const { port } = provider.address() as AddressInfo;

/** Verdict as its contract answers. */
function verdictClient(asked: { email: string; ip: string | null }[], isAway = false) {
  const decisionOf = (email: string) =>
    email === REFUSED ? 'block' : email === DOUBTED ? 'challenge' : 'allow';
  return new Verdict({
    apiKey: 'vrd_test_x',
    baseUrl: 'http://verdict.local/api/v1/',
    fallback: 'allow',
    retries: 0,
    timeoutMs: 60_000,
    deadlineMs: 120_000,
    fetch: async (_url: unknown, init?: { body?: unknown }) => {
      const { email, ip = null } = JSON.parse(String(init?.body)) as { email: string; ip?: string | null };
      asked.push({ email, ip });
      if (isAway) return new Response('', { status: 503 });
      const decision = decisionOf(email);
      return Response.json({
        success: true,
        id: 'log_01ARZ3NDEKTSV4RRFFQ69G5FAV',
        email,
        ip,
        decision,
        risk_score: decision === 'block' ? 90 : decision === 'challenge' ? 40 : 0,
        signals: { disposable_email: decision === 'block', mx_valid: true, free_provider: false },
        reasons: [],
        created_at: '2026-11-18T12:00:00.000000+00:00',
      });
    },
  });
}

function application({ isAway = false, ...options }: { isAway?: boolean } & Record<string, unknown> = {}) {
  const asked: { email: string; ip: string | null }[] = [];
  const mails: string[] = [];
  const db: Record<string, Record<string, unknown>[]> = {
    user: [],
    session: [],
    account: [],
    verification: [],
  };
  const auth = betterAuth({
    baseURL: ORIGIN,
    secret: 'a secret of at least thirty-two characters',
    database: memoryAdapter(db),
    emailAndPassword: { enabled: true },
    emailVerification: {
      sendOnSignUp: true,
      sendVerificationEmail: async ({ user }) => {
        mails.push(user.email);
      },
    },
    rateLimit: { enabled: false },
    logger: { disabled: true },
    plugins: [
      magicLink({
        sendMagicLink: async ({ email }) => {
          mails.push(email);
        },
      }),
      emailOTP({
        sendVerificationOTP: async ({ email }) => {
          mails.push(email);
        },
      }),
      genericOAuth({
        config: [
          {
            providerId: 'idp',
            clientId: 'c',
            clientSecret: 's',
            authorizationUrl: `http://127.0.0.1:${port}/authorize`,
            tokenUrl: `http://127.0.0.1:${port}/token`,
            userInfoUrl: `http://127.0.0.1:${port}/userinfo`,
            scopes: ['openid'],
          },
        ],
      }),
      verdict({ client: verdictClient(asked, isAway), ...options }),
    ],
  });
  const send = (path: string, json?: object, cookie = '') =>
    auth.handler(
      new Request(`${ORIGIN}/api/auth${path}`, {
        method: json ? 'POST' : 'GET',
        headers: {
          'content-type': 'application/json',
          origin: ORIGIN,
          'x-forwarded-for': '198.51.100.1, 203.0.113.7',
          cookie,
        },
        ...(json && { body: JSON.stringify(json) }),
      }),
    );
  const password = (email: string) => send('/sign-up/email', { email, password: PASSWORD, name: 'Someone' });
  const link = (email: string) => send('/sign-in/magic-link', { email });
  const code = (email: string, type = 'sign-in') => send('/email-otp/send-verification-otp', { email, type });
  /** Goes to the provider and comes back with the code of this person. */
  const social = async (email: string, errorCallbackURL?: string) => {
    const begun = await send('/sign-in/oauth2', {
      providerId: 'idp',
      callbackURL: '/',
      ...(errorCallbackURL && { errorCallbackURL }),
    });
    const { url } = (await begun.json()) as { url: string };
    const state = new URL(url).searchParams.get('state') ?? '';
    const cookie = begun.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    return send(`/oauth2/callback/idp?code=${encodeURIComponent(email)}&state=${state}`, undefined, cookie);
  };
  return { db, mails, asked, password, link, code, social };
}

t.test('four doors refuse one address: no row, no mail, and no reason', async (t) => {
  const { db, mails, asked, password, link, code, social } = application();
  for (const answer of [await password(REFUSED), await link(REFUSED), await code(REFUSED)]) {
    t.equal(answer.status, 403);
    t.match(await answer.json(), { code: 'SIGN_UP_REFUSED', message: /^This address cannot be used/ });
  }
  const back = await social(REFUSED, '/oops');
  t.equal(back.status, 302);
  t.match(
    back.headers.get('location'),
    /\/oops\?error=sign_up_refused$/,
    'a code, not a sentence in the URL',
  );
  t.strictSame(
    [db.user?.length, db.account?.length, db.session?.length, mails.length],
    [0, 0, 0, 0],
    'no row and no mail',
  );
  t.notOk(
    db.verification?.some(({ value }) => String(value).includes(REFUSED)),
    'no link waits',
  );
  t.strictSame(
    asked,
    Array.from({ length: 4 }, () => ({ email: REFUSED, ip: '203.0.113.7' })),
    'each door asked once, with the hop of the own proxy',
  );
});

t.test('the same doors let a good address in, and an account signs in without a check', async (t) => {
  const { db, mails, asked, password, link, code, social } = application();
  t.equal((await password('pass@example.com')).status, 200);
  t.match((await social('social@example.com')).headers.get('location'), /\/$/);
  t.equal((await link('link@example.com')).status, 200);
  t.strictSame(
    db.user?.map(({ email }) => email),
    ['pass@example.com', 'social@example.com'],
  );
  t.equal((await code('code@example.com')).status, 200);
  t.ok(mails.includes('link@example.com') && mails.includes('code@example.com'));
  t.equal(asked.length, 4);
  t.equal((await link('pass@example.com')).status, 200);
  t.equal((await code('pass@example.com')).status, 200);
  t.equal((await social('social@example.com')).status, 302);
  t.equal(asked.length, 4, 'nobody who has an account is checked again');
});

t.test('a challenged person signs up unverified, and the application may add to it', async (t) => {
  const { db, social } = application();
  await social(DOUBTED);
  t.match(db.user, [{ email: DOUBTED, emailVerified: false }], 'although the provider vouched for it');
  const own = application({ onChallenge: () => ({ name: 'Needs a look' }) });
  await own.password(DOUBTED);
  t.match(own.db.user, [{ email: DOUBTED, name: 'Needs a look' }]);
  const strict = application({ refuse: ['block', 'challenge'] });
  t.equal((await strict.password(DOUBTED)).status, 403);
});

t.test('an OAuth refusal without a page of its own leads to the error page of the plugin', async (t) => {
  const { db, social } = application({ errorPage: '/sign-up-refused' });
  t.match((await social(REFUSED)).headers.get('location'), /\/sign-up-refused\?error=sign_up_refused$/);
  t.equal(db.user?.length, 0);
});

t.test('the sample of the README compiles, strictly', async (t) => {
  const [, sample = ''] =
    /```ts\n([\s\S]*?)```/.exec(readFileSync(inRoot('clients/better-auth/README.md'), 'utf8')) ?? [];
  const mail = 'declare const sendMagicLink: (to: { email: string; url: string }) => Promise<void>;\n';
  const folder = t.testdir({
    'package.json': '{ "type": "module" }',
    'auth.ts': mail + sample,
    node_modules: { '@verdict': { 'better-auth': {} } },
  });
  for (const name of ['package.json', 'index.js', 'index.d.ts'])
    copyFileSync(
      inRoot('clients/better-auth', name),
      join(folder, 'node_modules/@verdict/better-auth', name),
    );
  symlinkSync(inRoot('packages/sdk'), join(folder, 'node_modules/@verdict/sdk'));
  symlinkSync(inRoot('test/node_modules/better-auth'), join(folder, 'node_modules/better-auth'));
  const flags =
    '--noEmit --module nodenext --target es2023 --lib es2023,dom --strict --skipLibCheck --ignoreConfig';
  await promisify(execFile)(
    process.execPath,
    [
      inRoot('scripts/node_modules/@typescript/native/bin/tsc'),
      ...flags.split(' '),
      '--types',
      'node',
      'auth.ts',
    ],
    { cwd: folder },
  ).catch(({ stdout }: { stdout: string }) => t.fail(stdout));
});

t.test('an outage of Verdict costs nobody a sign-up, and is told', async (t) => {
  const told: unknown[] = [];
  const { db, password } = application({
    isAway: true,
    onOutcome: ({ fallback }: { fallback?: unknown }) => told.push(fallback !== undefined),
  });
  t.equal((await password(REFUSED)).status, 200);
  t.equal(db.user?.length, 1);
  t.strictSame(told, [true]);
});
