import { http } from '@verdict/local-stack/http.js';
import type { TestStack } from '@verdict/local-stack/start-stack.js';
import type { Test } from 'tap';

/** A page of another site that uses the cookie of somebody who is logged in here. */
export async function forgedLogin(t: Test, stack: TestStack): Promise<void> {
  const [base = ''] = stack.baseUrls;
  const { host, origin } = new URL(base);

  async function browserCookie(): Promise<string> {
    const { email, password } = stack;
    const login = await http(`${base}auth/jwt/create/`, { json: { email, password, cookie: true } });
    return String(login.headers['set-cookie']).split(';')[0] ?? '';
  }

  const ROUTES = ['auth/jwt/refresh/', 'auth/jwt/logout/'];

  t.test('pages of this server may use the cookie', async (t) => {
    const cookie = await browserCookie();
    const own = [
      { origin },
      { 'sec-fetch-site': 'same-origin' },
      { origin, 'sec-fetch-site': 'same-origin' },
      {},
    ];
    let newest = cookie;
    for (const headers of own) {
      const answer = await http(`${base}auth/jwt/refresh/`, {
        headers: { cookie: newest, ...headers } as Record<string, string>,
        json: { cookie: true },
      });
      t.equal(answer.status, 200, JSON.stringify(headers));
      newest = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    }
  });

  t.test('pages of any other site may not, and the session stays as it was', async (t) => {
    const cookie = await browserCookie();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: `http://${host}.evil.example` },
      { origin: `http://evil.example/${host}` },
      { origin: 'null' },
      { origin: 'http://localhost:1' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'none' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreign) {
      for (const route of ROUTES) {
        const answer = await http(`${base}${route}`, {
          headers: { cookie, ...headers },
          json: { cookie: true },
        });
        t.equal(answer.status, 403, `${route} ${JSON.stringify(headers)}`);
        t.notOk(answer.headers['set-cookie']);
      }
      const { email, password } = stack;
      const login = await http(`${base}auth/jwt/create/`, {
        headers,
        json: { email, password, cookie: true },
      });
      t.equal(login.status, 403, 'nor can it log somebody in as another');
    }
    const mine = await http(`${base}auth/jwt/refresh/`, { headers: { cookie }, json: { cookie: true } });
    t.equal(mine.status, 200);
  });

  t.test('what a foreign page can send without asking is no request of ours', async (t) => {
    const cookie = await browserCookie();
    const bodies: [string, string][] = [
      ['application/x-www-form-urlencoded', 'cookie=true'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\ncontent-disposition: form-data; name="cookie"\r\n\r\ntrue\r\n--x--',
      ],
      ['text/plain', '{"cookie":true}'],
      ['text/plain; application/json', '{"cookie":true}'],
    ];
    for (const [type, body] of bodies) {
      for (const route of ROUTES) {
        const answer = await http(`${base}${route}`, { headers: { cookie, 'content-type': type }, body });
        t.equal(answer.status, 415, `${route} as ${type}`);
      }
    }
    const bare = await http(`${base}auth/jwt/refresh/`, { method: 'POST', headers: { cookie } });
    t.equal(bare.status, 400, 'without a body');
    const asking = await http(`${base}auth/jwt/refresh/`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    t.notOk(asking.headers['access-control-allow-origin'], 'and asking first is answered with no');
  });

  t.test(
    'the cookie is for TLS alone where there is TLS, and for no script and no other site anywhere',
    async (t) => {
      const { email, password } = stack;
      const json = { email, password, cookie: true };
      const plain = await http(`${base}auth/jwt/create/`, { json });
      t.match(plain.headers['set-cookie'], /; HttpOnly; SameSite=Strict$/);
      const secure = await http(`${base}auth/jwt/create/`, {
        headers: { 'x-forwarded-proto': 'https' },
        json,
      });
      t.match(secure.headers['set-cookie'], /; HttpOnly; SameSite=Strict; Secure$/);
      t.match(secure.headers['strict-transport-security'], /^max-age=\d+/);
    },
  );
}
