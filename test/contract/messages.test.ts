import { brotliCompressSync } from 'node:zlib';
import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpAnswer, http } from '@verdict/local-stack/http.js';
import { openStack } from '@verdict/local-stack/open-stack.js';
import t from 'tap';

const stack = await openStack();
t.teardown(() => stack.stop());
const single = await stack.createAccount('single');
const slow = await stack.createAccount('slow');

const base = stack.baseUrls[0] ?? '';
const site = base.replace('/api/v1/', '');
const CHECK = { email: 'jane@gmail.com' };
const check = (json: unknown = CHECK, headers: Record<string, string> = {}) =>
  stack.api('check/', { json, headers });
const login = await http<{ access: string }>(`${base}auth/jwt/create/`, {
  json: { email: stack.email, password: stack.password },
});
const bearer = { authorization: `Bearer ${login.body.access}` };
/** A check in the name of a key, without showing one. */
const checkAs = (apiKeyId: string) =>
  http(`${base}check/`, { headers: bearer, json: { ...CHECK, api_key_id: apiKeyId } });

const LIMITS = /^\d+$/;
const ALL_LIMITS = {
  'ratelimit-limit': LIMITS,
  'ratelimit-remaining': LIMITS,
  'ratelimit-reset': LIMITS,
  'x-quota-limit': LIMITS,
  'x-quota-remaining': LIMITS,
  'x-quota-reset': LIMITS,
};

interface Row {
  /** Its number in the review that found it. */
  readonly u: number;
  readonly what: string;
  readonly ask: () => Promise<HttpAnswer<unknown>>;
  readonly status: number;
  readonly code?: string;
  /** The sentence for people. */
  readonly sentence?: RegExp;
  readonly headers?: Readonly<Record<string, RegExp | string>>;
  readonly body?: object;
}

const day = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() + 1, 1))
  .toISOString()
  .slice(0, 10);

/** Problems that people met, and the answer now. */
const ROWS: readonly Row[] = [
  {
    u: 10,
    what: 'an array instead of an object with items',
    ask: () => stack.api('check/batch/', { json: [CHECK] }),
    status: 400,
    sentence: /^body: must be a JSON object$/,
  },
  {
    u: 10,
    what: 'a batch of nothing',
    ask: () => stack.api('check/batch/', { json: { items: [] } }),
    status: 400,
    sentence: /^items: must have at least one item$/,
  },
  {
    u: 10,
    what: 'a comma for a dot',
    ask: () => check({ email: 'jane@gmail,com' }),
    status: 400,
    sentence: /^email: the domain contains a comma$/,
  },
  {
    u: 10,
    what: 'a space in a name',
    ask: () => check({ email: 'jane doe@gmail.com' }),
    status: 400,
    sentence: /^email: the part before @ contains a space$/,
  },
  {
    u: 10,
    what: 'an expansion that does not exist',
    ask: () => stack.api('check/?expand=all', { json: CHECK }),
    status: 400,
    sentence: /^expand: must be signals, breakdown or both$/,
  },
  {
    u: 10,
    what: 'a path that does not exist',
    ask: () => stack.api('checks/', { json: CHECK }),
    status: 404,
    sentence: /^No such endpoint\. See \/docs\.$/,
  },
  {
    u: 8,
    what: 'a check that is malformed says how much is left',
    ask: () => check({ email: 'nonsense' }),
    status: 400,
    sentence: /^email: /,
    headers: ALL_LIMITS,
  },
  {
    u: 8,
    what: 'an answer that is given again says how much is left',
    ask: async () => {
      await check(CHECK, { 'idempotency-key': 'once' });
      return check(CHECK, { 'idempotency-key': 'once' });
    },
    status: 200,
    headers: { ...ALL_LIMITS, 'idempotent-replayed': 'true' },
  },
  {
    u: 8,
    what: 'so do status and usage',
    ask: () => stack.api('status/'),
    status: 200,
    headers: ALL_LIMITS,
  },
  {
    u: 8,
    what: 'a batch that is too fast says how much is left',
    ask: async () => {
      const headers = { 'x-api-key': slow.apiKey };
      // A machine that takes a second for each of them gives the rate time to come back: it is asked again.
      return eventually(async () => {
        const answers = await Promise.all(Array.from({ length: 4 }, () => check(CHECK, headers)));
        return answers.find(({ status }) => status === 429);
      });
    },
    status: 429,
    code: 'rate_limited',
    sentence: /^Too many requests in a short time\. Slow down and try again\.$/,
    headers: { ...ALL_LIMITS, 'retry-after': '1' },
  },
  {
    u: 9,
    what: 'a month that is used up names the day, and sends nobody away for weeks',
    ask: async () => {
      const headers = { 'x-api-key': single.apiKey };
      await check(CHECK, headers);
      return check(CHECK, headers);
    },
    status: 429,
    code: 'quota_exceeded',
    sentence: new RegExp(
      `^Monthly usage limit exceeded\\. It resets on ${day} at 00:00 UTC, or immediately with a larger plan\\.$`,
    ),
    headers: {
      ...ALL_LIMITS,
      'x-quota-remaining': '0',
      'retry-after': /^([1-9]\d{0,2}|[12]\d{3}|3[0-5]\d\d|3600)$/,
    },
  },
  ...[
    { what: 'a key as bearer token', headers: { authorization: `Bearer ${stack.apiKey}` } },
    {
      what: 'a key by basic authentication',
      headers: { authorization: `Basic ${btoa(`${stack.apiKey}:`)}` },
    },
    { what: 'a key in the query', query: `?api_key=${stack.apiKey}` },
  ].map(({ what, headers = {}, query = '' }) => ({
    u: 10,
    what,
    ask: () => http(`${base}check/${query}`, { headers, json: CHECK }),
    status: 401,
    sentence: /^The API key.* is invalid or missing\. .*X-API-Key\.$/,
  })),
  {
    u: 11,
    what: 'the id of a key of somebody else',
    ask: () => checkAs(single.apiKeyId),
    status: 403,
    code: 'key_not_owned',
    sentence: /^The api_key_id is not one of your API keys, or it was revoked\.$/,
  },
  {
    u: 11,
    what: 'the id of a key that never was',
    ask: () => checkAs('key_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
    status: 403,
    code: 'key_not_owned',
  },
  {
    u: 16,
    what: 'a body that is not UTF-8',
    ask: () =>
      http(`${base}check/`, {
        method: 'POST',
        headers: { 'x-api-key': stack.apiKey, 'content-type': 'application/json' },
        body: Buffer.concat([
          Buffer.from('{"email":"jane'),
          Buffer.from([0xc3, 0x28]),
          Buffer.from('@gmail.com"}'),
        ]),
      }),
    status: 400,
    code: 'invalid_request',
    sentence: /UTF-8|character/,
  },
  {
    u: 23,
    what: 'a body that is compressed with Brotli',
    ask: () =>
      http(`${base}check/`, {
        method: 'POST',
        headers: {
          'x-api-key': stack.apiKey,
          'content-type': 'application/json',
          'content-encoding': 'br',
        },
        body: brotliCompressSync(JSON.stringify(CHECK)),
      }),
    status: 415,
    code: 'unsupported_media_type',
    sentence: /^Send the body uncompressed, or with Content-Encoding: gzip\.$/,
  },
  {
    u: 23,
    what: 'an address with a name around it',
    ask: () => check({ email: 'Jane Doe <jane@gmail.com>' }),
    status: 400,
    sentence:
      /^email: send only the address, without a name or angle brackets around it: did you mean jane@gmail\.com\?$/,
  },
  {
    u: 23,
    what: 'a link instead of an address',
    ask: () => check({ email: 'mailto:jane@gmail.com' }),
    status: 400,
    sentence: /^email: send only the address, without mailto: before it: did you mean jane@gmail\.com\?$/,
  },
  {
    u: 24,
    what: 'the root of the API says where things are',
    ask: () => http(`${site}/api/v1/`),
    status: 200,
    body: { success: true, check: 'POST /api/v1/check/', openapi: '/api/v1/openapi.json' },
  },
  {
    u: 24,
    what: 'a monitor without a key sees that a gateway is there',
    ask: () => http(`${site}/health`),
    status: 200,
    body: { success: true, status: 'ok' },
  },
  {
    u: 25,
    what: 'a browser of another site may not ask, and is told what may',
    ask: () =>
      http(`${base}check/`, {
        method: 'OPTIONS',
        headers: { origin: 'https://example.com', 'access-control-request-method': 'POST' },
      }),
    status: 405,
    sentence: /^This address accepts POST only\.$/,
  },
  ...[
    ['gmial.com', 'gmail.com'],
    ['hotmial.com', 'hotmail.com'],
    ['hotmai.com', 'hotmail.com'],
    ['gamil.com', 'gmail.com'],
    ['gmai.com', 'gmail.com'],
  ].map(([typed, meant]) => ({
    u: 27,
    what: `${typed} is a slip and no disposable domain`,
    ask: () => stack.api('check/?expand=signals', { json: { email: `li.na@${typed}` } }),
    status: 200,
    body: { signals: { disposable_email: false, suggestion: `li.na@${meant}` } },
  })),
];

for (const { u, what, ask, status, code, sentence, headers, body } of ROWS) {
  t.test(`U${u}: ${what}`, async (t) => {
    const answer = await ask();
    t.equal(answer.status, status, JSON.stringify(answer.body));
    if (code !== undefined) t.match(answer.body, { code });
    if (sentence) t.match(answer.body, { error: sentence });
    if (headers) t.match(answer.headers, headers);
    if (body) t.match(answer.body, body);
  });
}

t.test('U24: a browser at the root gets the web application', async (t) => {
  const answer = await fetch(`${site}/`, { headers: { accept: 'text/html' } });
  t.equal(answer.status, 200);
  t.match(answer.headers.get('content-type'), /text\/html/);
});
