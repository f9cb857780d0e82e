import { createHmac, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import t from 'tap';
import { createSigningJwk, type SigningJwk } from '../../scripts/lib/signing-jwk.mjs';

/** Somebody with every kind of token but a good one, at the gateway's own door and at the one it forwards to. */
const stack = await openStack();
const { privateKey, publicJwk, publicPem } = keyPair(
  JSON.parse(String(stack.environments['control-plane'].JWT_SIGNING_KEY)),
);
const sibling = keyPair(stack.siblingKey);
const stranger = keyPair({ ...createSigningJwk(), kid: publicJwk.kid });
t.teardown(() => stack.stop());
const [base = ''] = stack.baseUrls;
const { email, password, apiKeyId } = stack;

const logIn = async () =>
  (await http<{ access: string; refresh: string }>(`${base}auth/jwt/create/`, { json: { email, password } }))
    .body;
const { access, refresh } = await logIn();
const [header = '', payload = ''] = access.split('.');
const decode = (part: string) =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url');
const head = decode(header);
const claims = decode(payload);
const now = Math.floor(Date.now() / 1000);

const signed = (key: KeyObject, of: object, says: unknown) => {
  const text = `${encode(of)}.${encode(says)}`;
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`;
};
const ours = (of: object, says: unknown) => signed(privateKey, of, says);
const hmac = (alg: string, digest: string, secret: string) => {
  const text = `${encode({ ...head, alg })}.${encode(claims)}`;
  return `${text}.${createHmac(digest, secret).update(text).digest('base64url')}`;
};

/** Every door that takes a token, with what a good one gets. */
const DOORS = [
  { name: 'the gateway', ask: (token: string) => checkWith(token) },
  {
    name: 'the control plane',
    ask: (token: string) => http(`${base}auth/users/me/`, { headers: bearer(token) }),
  },
  {
    name: 'a download',
    ask: (token: string) => http(`${base}dashboard/export/`, { headers: bearer(token) }),
  },
] as const;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const checkWith = (token: string) =>
  http(`${base}check/`, { json: { email: 'a@example.com', api_key_id: apiKeyId }, headers: bearer(token) });

async function revokedSession(): Promise<string> {
  const other = await logIn();
  await http(`${base}auth/jwt/logout/`, { json: { refresh: other.refresh } });
  return other.access;
}

const TABLE: Readonly<Record<string, string>> = {
  'no algorithm': `${encode({ ...head, alg: 'none' })}.${payload}.`,
  'no algorithm, in capitals': `${encode({ ...head, alg: 'NONE' })}.${payload}.`,
  'HS256 with the public key': hmac('HS256', 'sha256', JSON.stringify(publicJwk)),
  'HS256 with the public key as PEM': hmac('HS256', 'sha256', publicPem),
  'HS512 with nothing': hmac('HS512', 'sha512', ''),
  'signed by a stranger under our kid': signed(stranger.privateKey, head, claims),
  'signed by one key of ours under the kid of the other': ours(
    { ...head, kid: sibling.publicJwk.kid },
    claims,
  ),
  'the other way round': signed(sibling.privateKey, head, claims),
  'a kid that is a path': ours({ ...head, kid: '../../keys/current' }, claims),
  'no kid': ours({ alg: 'EdDSA', typ: 'JWT' }, claims),
  'a key of its own in the header': signed(stranger.privateKey, { ...head, jwk: stranger.publicJwk }, claims),
  'a key at an address': signed(stranger.privateKey, { ...head, jku: 'http://127.0.0.1:9/keys' }, claims),
  'wrong issuer': ours(head, { ...claims, iss: 'somebody' }),
  'wrong audience': ours(head, { ...claims, aud: 'somewhere' }),
  'wrong type': ours(head, { ...claims, typ: 'refresh' }),
  expired: ours(head, { ...claims, exp: now - 1 }),
  'not yet': ours(head, { ...claims, nbf: now + 3600 }),
  'another user': ours(head, { ...claims, sub: `usr_${'0'.repeat(26)}` }),
  'another account': ours(head, { ...claims, acc: `acc_${'0'.repeat(26)}` }),
  'a session that never was': ours(head, { ...claims, sid: `ses_${'0'.repeat(26)}` }),
  'a session that was ended': await revokedSession(),
  ...Object.fromEntries(
    ['sub', 'acc', 'sid', 'typ', 'iss', 'aud', 'iat', 'exp'].map((name) => [
      `no ${name}`,
      ours(head, Object.fromEntries(Object.entries(claims).filter(([claim]) => claim !== name))),
    ]),
  ),
  ...Object.fromEntries(
    [1, 10, 43, 86, 120, access.length - 20].map((cut) => [`cut by ${cut}`, access.slice(0, -cut)]),
  ),
  'no signature': `${header}.${payload}.`,
  'two parts': `${header}.${payload}`,
  'a refresh token': refresh,
  'an API key': stack.apiKey,
};

t.test('a good token opens every door', async (t) => {
  for (const { name, ask } of DOORS) t.equal((await ask(access)).status, 200, name);
  t.equal(
    (await checkWith(signed(sibling.privateKey, { ...head, kid: sibling.publicJwk.kid }, claims))).status,
    200,
  );
});

t.test('no other token opens any of them, and none is a 5xx', async (t) => {
  for (const { name, ask } of DOORS) {
    for (const [what, token] of Object.entries(TABLE)) {
      const answer = await ask(token);
      t.equal(answer.status, 401, `${name}: ${what}`);
      t.ok((answer.body as { error?: string }).error, `${name}: ${what} is told in JSON`);
    }
  }
});

t.test('nothing of all that was counted', async (t) => {
  const { body } = await stack.api<{ checks_used: number }>('usage/');
  t.equal(body.checks_used, 2);
});

function keyPair(jwk: SigningJwk) {
  const { d: _private, ...publicJwk } = jwk;
  const privateKey = createPrivateKey({ key: jwk, format: 'jwk' });
  const publicPem = String(createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
  return { privateKey, publicJwk, publicPem };
}
