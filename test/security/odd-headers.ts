import { http } from '@verdict/local-stack/http.js';
import type { OpenStack } from '@verdict/local-stack/open-stack.js';
import type { Test } from 'tap';
import { JSON_TYPE, sayAndRead } from './raw-http.js';

export async function oddHeaders(t: Test, stack: OpenStack): Promise<void> {
  const [base = ''] = stack.baseUrls;

  /** Hop-by-hop headers of honest and other clients. Each once caused a 503 or an empty answer. */
  const ODD: Readonly<Record<string, readonly string[]>> = {
    'Expect: 100-continue, as .NET sends it': ['expect: 100-continue'],
    'an expectation that nobody knows': ['expect: the-unexpected'],
    'an upgrade to HTTP/2': [
      'connection: upgrade, http2-settings',
      'upgrade: h2c',
      'http2-settings: AAMAAABkAAQAAP__',
    ],
    'an upgrade to WebSocket': [
      'connection: upgrade',
      'upgrade: websocket',
      'sec-websocket-key: x',
      'sec-websocket-version: 13',
    ],
    'an upgrade that the connection does not name': ['upgrade: h2c'],
    'a bare Keep-Alive': ['keep-alive: timeout=5, max=100'],
    'Proxy-Connection': ['proxy-connection: keep-alive'],
    'TE and Trailer': ['te: trailers, deflate', 'trailer: x-checksum'],
    'Proxy-Authorization': ['proxy-authorization: Basic eDp5'],
    'a connection that names what we need': ['connection: close, host, content-type, authorization'],
    'somebody else’s forwarding': [
      'forwarded: for=192.0.2.1',
      'x-forwarded-host: evil.example',
      'x-forwarded-proto: https',
    ],
  };

  const login = JSON.stringify({ email: stack.email, password: stack.password });
  const asked: Readonly<Record<string, { line: string; body: string; good: number }>> = {
    'a forwarded POST': { line: 'POST /api/v1/auth/jwt/create/', body: login, good: 200 },
    'a forwarded GET': { line: 'GET /api/v1/auth/settings/', body: '', good: 200 },
    'a check': { line: 'POST /api/v1/check/', body: '{"email":"a@example.com"}', good: 200 },
    'the status': { line: 'GET /api/v1/status/', body: '', good: 200 },
  };

  for (const [what, fields] of Object.entries(ODD)) {
    t.test(`${what} never becomes a failure of ours`, async (t) => {
      for (const [name, { line, body, good }] of Object.entries(asked)) {
        const head = [
          `${line} HTTP/1.1`,
          'host: localhost',
          `x-api-key: ${stack.apiKey}`,
          ...(body === '' ? [] : ['content-type: application/json', `content-length: ${body.length}`]),
          ...fields,
        ];
        const answer = await sayAndRead(base, `${head.join('\r\n')}\r\n\r\n${body}`);
        const status = answer?.status ?? 0;
        t.ok(status >= 200 && status < 500, `${name}: ${status}`);
        t.match(answer?.head, JSON_TYPE, `${name} is answered in JSON`);
        if (status >= 400) t.match(answer?.text, /"error":/, `${name} says what is wrong`);
        else t.equal(status, good, name);
      }
    });
  }

  t.test('a tunnel is refused in JSON', async (t) => {
    const answer = await sayAndRead(base, 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n');
    t.equal(answer?.status, 405);
    t.match(answer?.text, /"error":/);
  });

  t.test('no cache keeps an answer, and no browser guesses what it is', async (t) => {
    const key = { 'x-api-key': stack.apiKey };
    const answers = [
      await http(`${base}check/`, { headers: key, json: { email: 'a@example.com' } }),
      await http(`${base}check/`, { json: { email: 'a@example.com' } }),
      await http(`${base}status/`, { headers: key }),
      await http(`${base}usage/`, { headers: key }),
      await http(`${base}nothing/`),
      await http(`${base}auth/settings/`),
      await http(`${base}dashboard/keys/`),
    ];
    for (const { status, headers } of answers) {
      t.equal(headers['cache-control'], 'no-store', String(status));
      t.equal(headers['x-content-type-options'], 'nosniff');
      t.ok(headers.vary);
      t.notOk(headers['strict-transport-security'], 'which is for TLS alone');
    }
  });
}
