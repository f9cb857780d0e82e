import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EXPLAIN_PATH } from '@verdict/contracts/scoring-api.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { programFile } from '@verdict/local-stack/program.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import t from 'tap';
import { startProcess } from '../../../scripts/lib/start-process.mjs';

const SECRET = 'secret-of-the-test';
const database = await createDatabase();
const db = connectDatabase({ url: database.url, name: 'test' });
const day = { version: '2026-11-17' };
const version = { ...day, count: 1 };
const server = createServer((request, response) => {
  const explanation = {
    email: 'a@sub.fresh.example',
    release: '2026-11-17',
    datasets: { disposable_domains: version, free_providers: day, role_prefixes: day },
    decision: 'block',
    risk_score: 90,
    signals: { disposable_email: true, mx_valid: true, free_provider: false },
    extra: sampleVerdict().extra,
    factors: [],
    evidence: [
      {
        ...{ list: 'disposable_domains', entry: 'fresh.example', source: 'always', tier: 'curated' },
        ...{ since: '2026-11-17', or_earlier: true },
      },
    ],
  };
  response.setHeader('content-type', 'application/json');
  response.end(request.url === EXPLAIN_PATH ? JSON.stringify(explanation) : '{}');
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
t.teardown(async () => {
  server.close();
  server.closeAllConnections();
  await db.$disconnect();
  await database.drop();
});

async function verdict(...args: string[]) {
  const run = startProcess(process.execPath, [programFile('verdict'), ...args], {
    PATH: process.env.PATH ?? '',
    VERDICT_DATA_DIR: '/nowhere',
    DATABASE_URL: database.urlOf('operator'),
    EMAIL_HASH_SECRET: SECRET,
    SCORING_URLS: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  });
  const { code } = await run.exited;
  return { code, output: run.output().trim() };
}

const look = (id: string, status: string, notedAt: string) =>
  db.secondLook.create({
    data: {
      ...{
        id,
        changedAt: id,
        release: '2026-11-17',
        base: '2026-11-16',
        status,
        names: ['fresh.example'],
        found: 500,
      },
      ...{ fromAt: new Date(), toAt: new Date(), cursorAt: new Date(), notedAt: new Date(notedAt) },
    },
  });

t.test('an operator allows or refuses a look that was held, and no other', async (t) => {
  await look('lok_1', 'held', '2026-11-17');
  await look('lok_2', 'held', '2026-11-18');
  t.match(await verdict('datasets', 'looks', '--allow', 'lok_1'), { code: 0, output: /lok_1 .*revising/ });
  t.match(await verdict('datasets', 'looks', '--refuse', 'lok_2'), { code: 0, output: /lok_2 .*done/ });
  t.match(await db.secondLook.findUnique({ where: { id: 'lok_1' } }), { status: 'revising', allowed: true });
  t.match(await verdict('datasets', 'looks', '--allow', 'lok_2'), {
    code: 1,
    output: /is not a held look/,
  });
  const acts = await db.operatorEvent.findMany({ orderBy: { createdAt: 'asc' } });
  t.match(acts, [
    { action: 'look.allowed', target: 'lok_1' },
    { action: 'look.refused', target: 'lok_2' },
  ]);
});

t.test('a day names the sources that listed the domain then', async (t) => {
  const change = (source: string, lookId: string, listed: boolean, day: string) =>
    db.listingChange.create({
      data: { domain: 'fresh.example', source, lookId, listed, day: new Date(day) },
    });
  await change('for-a-day', 'lok_1', true, '2026-11-17');
  await change('for-a-day', 'lok_2', false, '2026-11-18');
  const on = async (day: string) => (await verdict('explain', 'a@sub.fresh.example', '--on', day)).output;
  t.match(await on('2026-11-17'), /for-a-day, from 2026-11-17 to 2026-11-18/);
  t.match(await on('2026-11-17'), /fresh\.example: always, before the history begins/);
  t.notMatch(await on('2026-11-18'), /for-a-day/);
  t.match(await on('2026-11-16'), /always/);
  t.match(await verdict('explain', 'a@sub.fresh.example', '--on', 'yesterday'), { code: 1 });
});

t.test('two days differ by what sources began and ceased to list between them', async (t) => {
  const days = ['2026-11-20', '2026-11-21', '2026-11-22'];
  for (const [n, day] of days.entries()) await look(`lok_diff_${n}`, 'done', day);
  const changes: readonly (readonly [string, string, number, boolean])[] = [
    ['new.example', 'daily', 1, true],
    ['gone.example', 'daily', 1, false],
    ['flicker.example', 'daily', 1, true],
    ['flicker.example', 'daily', 2, false],
    ['again.example', 'weekly', 0, false],
    ['again.example', 'weekly', 1, true],
    ['again.example', 'weekly', 2, false],
  ];
  for (const [domain, source, n, listed] of changes)
    await db.listingChange.create({
      data: { domain, source, lookId: `lok_diff_${n}`, listed, day: new Date(days[n] ?? '') },
    });
  const diff = async (from: string, to: string) => {
    const { code, output } = await verdict('datasets', 'diff', from, to, '--json');
    t.equal(code, 0);
    return (JSON.parse(output) as { domain: string; source: string; change: string; day: string }[]).map(
      ({ domain, source, change, day }) => `${domain} ${source} ${change} ${day}`,
    );
  };
  t.strictSame(await diff('2026-11-19', '2026-11-22'), [
    'again.example weekly unlisted 2026-11-22',
    'gone.example daily unlisted 2026-11-21',
    'new.example daily listed 2026-11-21',
  ]);
  t.strictSame(await diff('2026-11-20', '2026-11-21'), [
    'again.example weekly listed 2026-11-21',
    'flicker.example daily listed 2026-11-21',
    'gone.example daily unlisted 2026-11-21',
    'new.example daily listed 2026-11-21',
  ]);
  t.strictSame(await diff('2026-11-22', '2026-11-30'), []);
  t.match(await verdict('datasets', 'diff', '2026-11-31', '2026-12-01'), { code: 1, output: /is not a day/ });
});

t.test('everything that is kept of a person comes as lines, of every account', async (t) => {
  for (const id of ['acc_1', 'acc_2']) {
    await db.account.create({ data: { id, name: id, plan: 'free' } });
    await persistChecks(db, [
      {
        ...{ id: `log_of_${id}`, account_id: id, key_id: 'key_1', request_id: 'req_1' },
        ...{ email: 'jane@example.org', domain: 'example.org', mailbox_hash: null, ip: null },
        email_hash: hashEmail(SECRET, 'jane@example.org'),
        created_at: new Date().toISOString().replace('Z', '000+00:00'),
        verdict: {
          ...{ decision: 'allow', risk_score: 0, verdict_score: 0, factors: [], datasets: 'd', reasons: [] },
          signals: { disposable_email: false, mx_valid: true, free_provider: false },
        },
      },
    ]);
  }
  const { code, output } = await verdict('subject', 'Jane@Example.org');
  t.equal(code, 0);
  const lines = output.split('\n').map((line) => JSON.parse(line) as { type: string; account_id: string });
  t.strictSame(lines.map(({ type, account_id }) => `${type} ${account_id}`).sort(), [
    'check acc_1',
    'check acc_2',
  ]);
  t.match(await verdict('subject', 'nobody@example.org'), { code: 0, output: '' });
});
