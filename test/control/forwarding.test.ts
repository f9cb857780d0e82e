import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { request } from 'undici';

const directory = mkdtempSync(join(tmpdir(), 'verdict-web-'));
t.teardown(() => rmSync(directory, { recursive: true }));
mkdirSync(join(directory, 'assets'));
const PAGE = '<!doctype html><title>Verdict</title>';
const SCRIPT = 'run();'.repeat(50_000);
writeFileSync(join(directory, 'index.html'), PAGE);
writeFileSync(join(directory, 'assets/main-1a2b.js'), SCRIPT);
writeFileSync(join(directory, 'assets/main-1a2b.js.br'), brotliCompressSync(SCRIPT));

const stack = await startStack({
  workers: 0,
  env: { gateway: { REQUESTS_PER_MINUTE: 1_000_000 }, 'control-plane': { DASHBOARD_DIRECTORY: directory } },
});
t.teardown(() => stack.stop());
const [base = ''] = stack.baseUrls;
const { origin } = new URL(base);
const html = { accept: 'text/html' };

const { email, password } = stack;
const login = await http<{ access: string }>(`${base}auth/jwt/create/`, { json: { email, password } });
const bearer = { authorization: `Bearer ${login.body.access}` };

t.test('the web application comes through the gateway as the control plane serves it', async (t) => {
  for (const path of ['/', '/keys', '/operator/accounts?q=a']) {
    const answer = await http(`${origin}${path}`, { headers: html });
    t.equal(answer.status, 200, path);
    t.equal(answer.text, PAGE);
    t.equal(answer.headers['cache-control'], 'no-cache');
    t.match(answer.headers['content-security-policy'], /default-src 'self'/);
  }
  const asset = await request(`${origin}/assets/main-1a2b.js`, { headers: { 'accept-encoding': 'br' } });
  t.equal(asset.headers['content-encoding'], 'br');
  t.match(asset.headers['cache-control'], /immutable/);
  t.match(asset.headers.vary, /accept-encoding/i);
  t.equal(brotliDecompressSync(Buffer.from(await asset.body.arrayBuffer())).toString(), SCRIPT);
  const plain = await http(`${origin}/assets/main-1a2b.js`);
  t.equal(plain.text, SCRIPT);
  const again = await request(`${origin}/assets/main-1a2b.js`, {
    headers: { 'if-none-match': String(plain.headers.etag) },
  });
  t.equal(again.statusCode, 304);
  t.equal(await again.body.text(), '');
  const head = await http(`${origin}/assets/main-1a2b.js`, { method: 'HEAD' });
  t.equal(head.status, 200);
  t.equal(Number(head.headers['content-length']), SCRIPT.length);
});

t.test('what is no page stays a 404 in JSON', async (t) => {
  const answers = [
    await http(`${base}nothing/`, { headers: html }),
    await http(`${origin}/api/v2/check/`, { headers: html }),
    await http(`${origin}/assets/gone.js`),
    await http(`${origin}/keys`, { method: 'POST', headers: html, json: {} }),
    await http(`${base}nothing/`, { json: {} }),
  ];
  for (const { status, body } of answers) {
    t.equal(status, 404);
    t.ok(body.error);
  }
  t.equal((await http(`${base}check/`, { headers: html })).status, 405);
});

t.test('compressed requests and answers pass, and a bomb is told so', async (t) => {
  const packed = { ...bearer, 'content-encoding': 'gzip' };
  const csv = { 'x-api-key': stack.apiKey, 'content-encoding': 'gzip', 'content-type': 'text/csv' };
  const addresses = (count: number) => `email\n${'someone@gmail.com\n'.repeat(count)}`;
  const imported = await http(`${base}lists/allow/import/`, {
    method: 'POST',
    headers: { ...packed, 'content-type': 'text/csv' },
    body: gzipSync('value\npacked.example\n'),
  });
  t.match([imported.status, imported.body], [200, { added: 1 }]);
  for (const [path, headers, file] of [
    ['lists/block/import/', { ...packed, 'content-type': 'application/json' }, Buffer.alloc(50_000_000)],
    ['jobs/', csv, addresses(20_000_000)],
  ] as const) {
    const bomb = await http(`${base}${path}`, { method: 'POST', headers, body: gzipSync(file) });
    t.match([bomb.status, bomb.body.code], [413, /body_too_large|too_many_rows/], path);
  }

  const { body } = await http<{ job: { id: string; rows: number } }>(`${base}jobs/`, {
    method: 'POST',
    headers: csv,
    body: gzipSync(addresses(500)),
  });
  t.equal(body.job?.rows, 500, JSON.stringify(body));
  const job = `${base}jobs/${body.job.id}`;
  const key = { 'x-api-key': stack.apiKey };
  t.equal((await http(`${job}/cancel/`, { method: 'POST', headers: key })).status, 200);
  const whole = await request(`${job}/results.csv`, { headers: { ...key, 'accept-encoding': 'br' } });
  t.match(whole.headers, { 'content-encoding': 'br', vary: /accept-encoding/ });
  const file = brotliDecompressSync(Buffer.from(await whole.body.arrayBuffer()));
  const rest = await http(`${job}/results.csv`, { headers: { ...key, range: 'bytes=7000-' } });
  t.match(
    [rest.status, rest.headers['content-range']],
    [206, `bytes 7000-${file.length - 1}/${file.length}`],
  );
  t.equal(rest.text, file.subarray(7_000).toString());

  const document = await request(`${base}openapi.json`, { headers: { 'accept-encoding': 'gzip' } });
  t.match(document.headers, {
    'content-encoding': 'gzip',
    'content-length': /^\d+$/,
    vary: /accept-encoding/,
  });
  const unpacked = gunzipSync(Buffer.from(await document.body.arrayBuffer()));
  const plain = await http(`${base}openapi.json`);
  t.strictSame(JSON.parse(String(unpacked)), plain.body);
  t.not(plain.headers['x-request-id'], document.headers['x-request-id']);
  const head = await http(`${base}openapi.json`, { method: 'HEAD' });
  t.match(
    [head.status, head.text, head.headers],
    [200, '', { 'content-length': plain.headers['content-length'] }],
  );
  for (const tag of [document.headers.etag, plain.headers.etag]) {
    const known = await http(`${base}openapi.json`, { headers: { 'if-none-match': String(tag) } });
    t.match([known.status, known.text], [304, '']);
  }
});

t.test('a large import and a long download pass, and what is too large is refused', async (t) => {
  const plan = { method: 'PUT', headers: bearer, json: { plan: 'growth' } } as const;
  t.equal((await http(`${base}billing/subscription/`, plan)).status, 200, 'a plan with room for as many');
  const entries = Array.from({ length: 5_000 }, (_, i) => `domain-number-${i}.example`);
  const imported = await http(`${base}lists/block/import/`, { headers: bearer, json: { entries } });
  t.equal(imported.status, 200);
  t.match(imported.body, { added: entries.length });
  const csv = await http(`${base}lists/block/export.csv`, { headers: bearer });
  t.equal(csv.status, 200);
  t.equal(csv.text.trim().split('\r\n').length, entries.length + 1);
  t.match(csv.headers['content-disposition'], /block-list\.csv/);

  const tooMuch = { email, password: 'x'.repeat(20_000) };
  const refused = await http<{ code: string }>(`${base}auth/jwt/create/`, { json: tooMuch });
  t.equal(refused.status, 413);
  t.equal(refused.body.code, 'body_too_large');
});

t.test('methods, queries, empty bodies and ids of requests arrive as they were sent', async (t) => {
  const made = await http<{ key: { id: string } }>(`${base}dashboard/keys/`, {
    headers: bearer,
    json: { name: 'k' },
  });
  t.equal(made.status, 201);
  const { id } = made.body.key;
  const patched = await http(`${base}dashboard/keys/${id}/`, {
    method: 'PATCH',
    headers: bearer,
    json: { active: false },
  });
  t.equal(patched.status, 200);
  const removed = await http(`${base}dashboard/keys/${id}`, {
    method: 'DELETE',
    headers: { ...bearer, 'x-request-id': 'mine-1' },
  });
  t.equal(removed.status, 200);
  t.equal(removed.headers['x-request-id'], 'mine-1');
  const page = await http<{ events: unknown[] }>(`${base}dashboard/audit/?limit=1`, { headers: bearer });
  t.equal(page.body.events.length, 1);
  t.match(page.body.events[0], { action: 'key.revoked', request_id: 'mine-1', ip: '127.0.0.1' });
});
