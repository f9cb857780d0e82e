import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const directory = mkdtempSync(join(tmpdir(), 'verdict-web-'));
t.teardown(() => rmSync(directory, { recursive: true }));
for (const folder of ['assets', 'docs']) mkdirSync(join(directory, folder));
const files = {
  'index.html': '<!doctype html><title>Verdict</title>',
  'assets/main-3f2a.js': 'run()',
  'favicon.svg': '<svg/>',
  'front.html': '<!doctype html><title>Front</title><!-- register --><!-- origin -->/api<!-- plans -->',
  'docs/quickstart.html': '<!doctype html><title>Quickstart</title>',
};
for (const [name, text] of Object.entries(files)) {
  writeFileSync(join(directory, name), text);
  writeFileSync(join(directory, `${name}.br`), brotliCompressSync(text));
  writeFileSync(join(directory, `${name}.gz`), gzipSync(text));
}
writeFileSync(join(directory, 'assets/main-3f2a.js.map'), '{}');

const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { DASHBOARD_DIRECTORY: directory });
const SESSION = { cookie: 'verdict_session=1' };
const PAGE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

t.test('the application is served at / and at every address that it may have', async (t) => {
  for (const path of ['/', '/keys', '/logs/log_01?decision=block', '/operator/accounts', '/index.html']) {
    const answer = await plane.call('GET', path, undefined, { ...PAGE, ...SESSION });
    t.equal(answer.status, 200, path);
    t.equal(answer.text, files['index.html']);
    t.match(answer.headers['content-type'], /^text\/html/);
    t.equal(answer.headers['cache-control'], 'no-cache', 'a new version is seen at once');
  }
  t.equal((await plane.call('GET', '/')).status, 200, 'also by who does not say that it reads HTML');
  t.equal((await plane.call('HEAD', '/', undefined, PAGE)).status, 200);
});

t.test('a guest sees the front page with the prices of this server, a session the application', async (t) => {
  const guest = await plane.call('GET', '/', undefined, PAGE);
  t.match(guest.text, /<title>Front<\/title>.*href="\/register".*https?:\/\/[^<]+\/api.*<h3>free<\/h3>/);
  t.match(guest.text, /19\.00 EUR a month.*25,000 checks a month/, 'of the plans file');
  t.match(guest.headers, { vary: /cookie/, 'cache-control': 'no-cache' });
  t.equal((await plane.call('GET', '/', undefined, { ...PAGE, ...SESSION })).text, files['index.html']);
});

t.test('search engines read the front page and the docs, and the rest is not offered', async (t) => {
  t.match((await plane.call('GET', '/robots.txt')).text, /Allow: \/\$\nAllow: \/docs\n.*Disallow: \/\n/s);
  for (const path of ['/docs', '/docs/quickstart', '/docs/quickstart/']) {
    t.match((await plane.call('GET', path, undefined, PAGE)).text, /Quickstart/, path);
  }
});

t.test('an upgrade_url opens the billing page in a browser, and answers programs', async (t) => {
  const { call, access } = await plane.customer();
  const url = '/api/v1/billing/subscription/';
  const opened = await plane.call('GET', url, undefined, PAGE);
  t.match(opened, { status: 302, headers: { location: '/billing' } });
  t.equal((await plane.call('GET', url)).status, 401);
  t.match((await call('GET', url)).body, { plan: 'free' });
  const authorization = `Bearer ${access}`;
  t.match((await plane.call('GET', url, undefined, { ...PAGE, authorization })).body, { plan: 'free' });
});

t.test('a page that does not exist is a 404 with a page', async (t) => {
  for (const path of ['/nowhere', '/wp-admin/x']) {
    const answer = await plane.call('GET', path, undefined, PAGE);
    t.equal(answer.status, 404, path);
    t.equal(answer.text, files['index.html']);
  }
});

t.test('PUBLIC_PAGES=off shows guests the login, and search engines nothing', async (t) => {
  const hidden = await startControlPlane(t, stores, { DASHBOARD_DIRECTORY: directory, PUBLIC_PAGES: 'off' });
  const page = await hidden.call('GET', '/', undefined, PAGE);
  t.equal(page.text, files['index.html']);
  t.equal(page.headers['x-robots-tag'], 'noindex');
  t.equal((await hidden.call('GET', '/robots.txt')).text, 'User-agent: *\nDisallow: /\n');
});

t.test(
  'files that are named after their content are kept for a year, compressed as they were built',
  async (t) => {
    const plain = await plane.call('GET', '/assets/main-3f2a.js');
    t.equal(plain.text, 'run()');
    t.match(plain.headers['content-type'], /javascript/);
    t.match(plain.headers['cache-control'], /^public, max-age=31536000, immutable$/);
    const reply = await plane.app.inject({
      url: '/assets/main-3f2a.js',
      headers: { 'accept-encoding': 'gzip, br' },
    });
    t.equal(reply.headers['content-encoding'], 'br');
    t.equal(brotliDecompressSync(reply.rawPayload).toString(), 'run()');
    t.match(reply.headers.vary, /accept-encoding/i);
    t.match((await plane.call('GET', '/favicon.svg')).headers['content-type'], /svg/);
  },
);

t.test('a page may load and ask nothing but this server, and stands in nobody’s frame', async (t) => {
  for (const path of ['/', '/keys', '/assets/main-3f2a.js']) {
    const { headers } = await plane.call('GET', path, undefined, PAGE);
    const policy = String(headers['content-security-policy']);
    t.match(policy, /(^|; )default-src 'self'(;|$)/);
    t.match(policy, /(^|; )script-src 'self'(;|$)/);
    t.match(policy, /(^|; )frame-ancestors 'none'(;|$)/);
    t.notMatch(policy, /https?:|\*|unsafe-/);
    t.equal(headers['x-content-type-options'], 'nosniff');
    t.equal(headers['referrer-policy'], 'same-origin');
  }
});

t.test('what is no page stays a 404 in JSON', async (t) => {
  for (const [method, path, headers] of [
    ['GET', '/api/v1/nothing/', PAGE],
    ['GET', '/api/v2/keys', PAGE],
    ['GET', '/api', PAGE],
    ['GET', '/assets/gone-1a2b.js', {}],
    ['GET', '/assets/main-3f2a.js.map', {}],
    ['GET', '/favicon.svg.br', {}],
    ['GET', '/../package.json', {}],
    ['GET', '/assets/..%2f..%2fpackage.json', {}],
    ['GET', '//etc/passwd', {}],
    ['POST', '/keys', PAGE],
  ] as const) {
    const answer = await plane.call(method, path, undefined, headers);
    t.equal(answer.status, 404, `${method} ${path}`);
    t.ok(answer.body?.error, `${method} ${path}`);
  }
});

t.test('without a build a browser is told so, and a program gets its 404', async (t) => {
  const bare = await startControlPlane(t, stores, { DASHBOARD_DIRECTORY: join(directory, 'nowhere') });
  const page = await bare.call('GET', '/keys', undefined, PAGE);
  t.equal(page.status, 503);
  t.match(page.text, /was not built/);
  t.match(page.headers['content-security-policy'], /default-src 'self'/);
  t.equal((await bare.call('GET', '/')).status, 404);
});
