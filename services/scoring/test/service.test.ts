import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { IpsReply, ScoreLine } from '@verdict/contracts/scoring-api.js';
import { programFile } from '@verdict/local-stack/program.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import t from 'tap';
import { startScoring } from './support/scoring-service.js';

const READY = 'scoring ready';
/** Comes after the listener. */
const LOADED = 'origins of IPs loaded';

let release: () => void = () => {};
const held = new Promise<void>((resolve) => {
  release = resolve;
});
const dns = await startDnsServer({
  'canary.net': { mx: [[1, 'mx.canary.net']] },
  'held.com': { mx: [[1, 'mx.held.com']], after: held },
});
const scoring = await startScoring({
  DNS_SERVERS: dns.address,
  DNS_CANARY: 'canary.net',
  DNS_DEADLINE_MS: '20000',
  DATASETS_POLL_MS: '600000',
});
t.teardown(async () => {
  await scoring.close();
  await dns.close();
});

t.test(
  'one slow domain delays nobody else: ready lines come in one chunk, the slow one when it is ready',
  async (t) => {
    const response = await scoring.post({
      v: 2,
      checks: checksOf('slow@held.com', 'a@gmail.com', 'b@gmail.com'),
    });
    t.equal(response.status, 200);
    t.match(response.headers.get('content-type'), /ndjson/);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = (await reader?.read())?.value ?? '';
    t.same(indexesOf(first), [[1, 2]], 'both ready checks in the first line');
    release();
    const second = (await reader?.read())?.value ?? '';
    t.same(indexesOf(second), [[0]]);
    t.equal((await reader?.read())?.done, true);
  },
);

t.test('a full batch of known domains comes as one answer with its length', async (t) => {
  const emails = Array.from({ length: 256 }, (_, index) => `user${index}@gmail.com`);
  const response = await scoring.post({ v: 2, checks: checksOf(...emails) });
  t.ok(Number(response.headers.get('content-length')) > 0);
  const [line, ...more] = (await response.text()).trimEnd().split('\n');
  t.same(more, []);
  const { checks, verdicts } = JSON.parse(line ?? '') as ScoreLine;
  t.equal(checks.length, 256);
  t.equal(verdicts.length, 1, 'a verdict that all of them share is written once');
});

t.test('networks of IPs come in the order of the question, soon with their origin', async (t) => {
  const ask = (ips: string[]) =>
    fetch(`${scoring.url}/internal/ips`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ips }),
    });
  const ips = ['104.28.28.1', '192.0.2.1', '::ffff:1.12.0.0'];
  const networks = [
    { kind: 'relay', country: 'AU', asn: 13335, organisation: 'Cloudflare, Inc.' },
    { kind: null, country: null, asn: null, organisation: null },
    {
      kind: 'hosting',
      country: 'CN',
      asn: 45090,
      organisation: 'Shenzhen Tencent Computer Systems Company Limited',
    },
  ];
  const found = async () => (await (await ask(ips)).json()) as IpsReply;
  const unknown = { country: null, asn: null, organisation: null };
  const before = networks.map(({ kind }) => ({ kind, ...unknown }));
  t.same(await found(), { networks: before }, 'kinds wait for no origin');
  await scoring.deps.ipOrigins.load();
  t.same(await found(), { networks });
  t.equal((await ask([])).status, 400);
});

t.test('a bad batch is a 400 with a sentence, and nothing of it is judged', async (t) => {
  const bad: [unknown, RegExp][] = [
    [{ v: 2, checks: [] }, /checks/],
    [{ v: 1, checks: checksOf('a@gmail.com') }, /v/],
    [{ v: 2, checks: [{ email: 1, account_id: 'a' }] }, /email/],
    [{ v: 2, checks: [{ email: 'a@gmail.com' }] }, /account_id/],
    [{ v: 2, checks: checksOf('a@gmail.com', 'not an address') }, /checks\.1\.email/],
    [{ v: 2, checks: checksOf(...Array<string>(257).fill('a@gmail.com')) }, /checks/],
  ];
  for (const [body, message] of bad) {
    const response = await scoring.post(body);
    t.equal(response.status, 400);
    t.match(((await response.json()) as { error: string }).error, message);
  }
  t.equal((await fetch(`${scoring.url}/nothing`)).status, 404);
});

t.test('a caller that leaves early harms nobody', async (t) => {
  dns.zone['abandoned.com'] = {
    mx: [[1, 'mx.abandoned.com']],
    after: new Promise((resolve) => setTimeout(resolve, 30)),
  };
  const controller = new AbortController();
  const leaving = await fetch(`${scoring.url}/internal/score`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ v: 2, checks: checksOf('a@abandoned.com') }),
    signal: controller.signal,
  });
  t.equal(leaving.status, 200);
  controller.abort();
  const { lines } = await scoring.score('b@abandoned.com');
  t.equal(lines[0]?.signals.mx_valid, true);
});

t.test('stopping lets answers under way finish and waits for nobody else', async (t) => {
  let answer: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  dns.zone['last.com'] = { mx: [[1, 'mx.last.com']], after: held };
  const leaving = await startScoring({
    DNS_SERVERS: dns.address,
    DNS_CANARY: 'canary.net',
    DNS_DEADLINE_MS: '20000',
  });
  const bare = connect(Number(new URL(leaving.url).port), '127.0.0.1');
  await once(bare, 'connect');
  const response = await leaving.post({ v: 2, checks: checksOf('a@last.com') });
  const closed = leaving.close();
  answer();
  t.match(await response.text(), /"mx_valid":true/);
  await closed;
  t.pass('closed although a connection without a request was open');
});

t.test(
  'the process starts, reports ready, and stops clean on SIGTERM; a bad environment is one sentence',
  async (t) => {
    const main = programFile('scoring');
    const env = { PATH: process.env.PATH ?? '', PORT: '0', INTERNAL_PORT: '0', DNS_SERVERS: dns.address };
    const child = spawn(process.execPath, [main], {
      env: { ...env, LOG_LEVEL: 'debug' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const exit = once(child, 'exit');
    // Read to the end: an unread pipe would break under the last messages of the service.
    let printed = '';
    for await (const chunk of child.stdout) {
      const wasReady = printed.includes(LOADED);
      printed += String(chunk);
      if (!wasReady && printed.includes(LOADED)) child.kill('SIGTERM');
    }
    t.match(printed, READY);
    t.same((await exit)[0], 0);

    const broken = spawn(process.execPath, [main], {
      env: { ...env, PORT: 'x', DNS_DEADLINE_MS: '0' },
      stdio: 'pipe',
    });
    let said = '';
    broken.stdout.on('data', (chunk) => {
      said += chunk;
    });
    const [code] = (await once(broken, 'close')) as [number];
    t.equal(code, 1);
    t.match(said, /PORT.*DNS_DEADLINE_MS/);
  },
);

function checksOf(...emails: string[]) {
  return emails.map((email) => ({ email, account_id: 'acc_test' }));
}

/** The positions that each line of a chunk answers. */
function indexesOf(chunk: string): number[][] {
  const lines = chunk.trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as ScoreLine).checks.map(({ i }) => i));
}
