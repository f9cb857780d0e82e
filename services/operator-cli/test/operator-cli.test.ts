import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { connectDatabase } from '@verdict/db/database/client.js';
import { readReconciliations } from '@verdict/db/database/observations.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { parsePlans } from '@verdict/domain/plans.js';
import { createDatabase } from '@verdict/local-stack/create-database.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { programFile } from '@verdict/local-stack/program.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { closeMonth } from '@verdict/metering/close-month.js';
import { createDeadLetters } from '@verdict/queues/dead-letters.js';
import { addLoad } from '@verdict/redis-store/account-load.js';
import { connectForQueues } from '@verdict/redis-store/connect.js';
import { accountKey } from '@verdict/redis-store/keys.js';
import type { Command } from 'commander';
import t from 'tap';
import { startProcess } from '../../../scripts/lib/start-process.mjs';
import { createProgram } from '../src/create-program.js';

const database = await createDatabase();
const server = await startRedis();
const db = connectDatabase({ url: database.url, name: 'test' });
const redis = connectForQueues({ url: server.url, timeoutMs: 20_000 }, 'test');
const secret = randomBytes(16).toString('hex');
t.teardown(async () => {
  redis.disconnect();
  await db.$disconnect();
  await server.stop();
  await database.drop();
});

Object.assign(process.env, {
  DATABASE_URL: database.urlOf('operator'),
  REDIS_URL: server.url,
  REDIS_TIMEOUT_MS: '20000',
  EMAIL_HASH_SECRET: secret,
  SECRETS_KEY: randomBytes(32).toString('base64'),
});

/** The program without the cost of a process; the last test runs it as an operator does. */
async function verdict(...args: string[]) {
  let output = '';
  let code = 0;
  const program = await createProgram({
    write: (text) => {
      output += text;
    },
    fail: () => {
      code = 1;
    },
  });
  try {
    await throwing(program).parseAsync(args, { from: 'user' });
  } catch (error) {
    code = 1;
    output += (error as Error).message;
  }
  return { code, output };
}

/** commander would end the process over a wrong option. */
function throwing(command: Command): Command {
  command.exitOverride().configureOutput({ writeErr: () => {} });
  for (const child of command.commands) throwing(child);
  return command;
}

const ACCOUNT = 'acc_operator';
const CREATED_AT = '2026-11-10T10:00:00.000001+00:00';
await db.account.create({
  data: { id: ACCOUNT, name: '=cmd', plan: 'free', createdAt: new Date('2026-08-01T00:00:00Z') },
});
await db.apiKey.create({
  data: {
    id: 'key_1',
    accountId: ACCOUNT,
    name: 'first',
    prefix: 'vrd_live_',
    lastFour: 'wxyz',
    secretHash: 'h',
  },
});
await persistChecks(
  db,
  ['a@example.com', 'b@example.com'].map((email, index) => ({
    id: `log_0000000000000000000000000${index}`,
    account_id: ACCOUNT,
    key_id: 'key_1',
    verdict: {
      decision: index === 0 ? 'allow' : 'block',
      risk_score: 1,
      verdict_score: 1,
      signals: {},
      factors: [],
      datasets: 'd',
      reasons: [],
    },
    request_id: 'req',
    created_at: CREATED_AT,
    email,
    domain: 'example.com',
    email_hash: hashEmail(secret, email),
    mailbox_hash: null,
    ip: null,
  })),
);

t.test('top ranks accounts by answered and refused requests', async (t) => {
  t.match(await verdict('top'), { code: 0, output: /^No account has sent a request/ });
  await addLoad(redis, [
    { accountId: 'acc_calm', answered: 9, refused: 0 },
    { accountId: 'acc_loop', answered: 1, refused: 70 },
  ]);
  const { output } = await verdict('top');
  t.match(output, /^account +answered +refused\nacc_loop +1 +70\nacc_calm +9 +0\n$/);
  t.match(JSON.parse((await verdict('top', '--limit', '1', '--json')).output), [{ account: 'acc_loop' }]);
  t.match(await verdict('top', '--limit', '0'), { code: 1 });
});

t.test('reconcile ends with 0 when all agree, and with 1 and a table when something differs', async (t) => {
  t.match(await verdict('reconcile', '--period', '2026-11'), { code: 0, output: /agree/ });
  await db.$executeRaw`UPDATE usage_hourly SET checks = checks + 1 WHERE decision = 'allow'`;
  const wrong = await verdict('reconcile', '--period', '2026-11');
  t.equal(wrong.code, 1);
  t.match(wrong.output, /account +month +kind +expected +found +difference +repaired/);
  t.match(wrong.output, /acc_operator +2026-11 +rollup +2 +3 +1 +false/);
  t.match(
    await readReconciliations(db),
    [{ name: '2026-11', value: { differences: 1, repaired: 0 } }],
    'the alert knows',
  );
  await redis.hset(accountKey(ACCOUNT, 1), 'v', '1', 'u:2026-11', '7');
  const repaired = await verdict('reconcile', '--period', '2026-11', '--repair', '--json');
  t.match(JSON.parse(repaired.output), [
    { kind: 'rollup', expected: 2, found: 3, repaired: true },
    { kind: 'loss', expected: 2, found: 7, repaired: true },
  ]);
  t.equal(repaired.code, 0, 'all of it was repaired');
  t.match(await readReconciliations(db), [{ value: { differences: 0, repaired: 2 } }], 'and the alert ends');
  t.match(await verdict('reconcile', '--period', '2026-11'), { code: 0 });
});

t.test('usage export is a CSV that a spreadsheet opens without harm', async (t) => {
  const { code, output } = await verdict('usage', 'export', '--period', '2026-11');
  t.equal(code, 0);
  t.equal(
    output,
    "month,account,name,plan,entitled,used,adjusted,over,allow,challenge,review,block\n2026-11,acc_operator,'=cmd,free,1000,2,0,0,1,0,0,1\n",
  );
  const json = JSON.parse((await verdict('--json', 'usage', 'export', '--period', '2026-11')).output);
  t.match(json, [{ account: ACCOUNT, used: 2, entitled: 1000 }]);
});

t.test(
  'the export of a closed month shows what was billed, whatever the plans file says today',
  async (t) => {
    await db.$queryRaw`SELECT ensure_check_partitions('2026-09-01'::date)::text`;
    await db.$executeRaw`INSERT INTO usage_hourly VALUES (${ACCOUNT}, 'key_1', '2026-09-10T10:00:00Z', 'allow', 7)`;
    const plans = parsePlans({ free: { checks_per_month: 5, checks_per_second: 1, retention_days: 1 } });
    await closeMonth(db, '2026-09', plans);
    const { output } = await verdict('usage', 'export', '--period', '2026-09', '--json');
    t.match(JSON.parse(output), [
      { account: ACCOUNT, plan: 'free', entitled: 5, used: 7, over: 2, allow: 7 },
    ]);
  },
);

t.test('dead letters are listed without, and exported with, their payload', async (t) => {
  const letters = createDeadLetters({ connection: redis, onError: () => {} });
  await letters.add({
    id: '0-1-2',
    reason: 'a reason',
    logIds: ['log_x'],
    queuedAtMs: 0,
    shard: 0,
    payload: { v: 1, checks: [{ email: 'secret@example.com' }] },
  });
  const listed = await verdict('dead-letters', 'list');
  t.match(listed.output, /0-1-2 +1970-01-01T00:00:00.000Z +log_x +a reason/);
  t.notMatch(listed.output, /secret@/);
  t.match(JSON.parse((await verdict('dead-letters', 'export')).output), {
    payload: { checks: [{ email: /^secret/ }] },
  });
  t.match(JSON.parse((await verdict('dead-letters', 'retry', '--json')).output), [
    { id: '0-1-2', retried: true },
  ]);
  t.match((await verdict('dead-letters', 'list')).output, /no dead letters/);
  t.match(await verdict('dead-letters', 'retry', 'no-such'), { code: 1, output: /no-such +false/ });
  await letters.add({ id: '0-9-9', reason: 'junk', logIds: [], queuedAtMs: 0, shard: 0, payload: 'junk' });
  t.match(await verdict('dead-letters', 'discard', '0-9-9'), { code: 0, output: /0-9-9 +true/ });
  t.match(await verdict('dead-letters', 'discard', '0-9-9'), { code: 1, output: /0-9-9 +false/ });
  t.equal(await redis.llen('verdict:queue:{0}:check-logs:wait'), 1, 'it is queued again');
  await redis.del('verdict:queue:{0}:check-logs:wait');
  await letters.close();
});

t.test('erase forgets an address, prints a receipt and leaves the counts', async (t) => {
  const { code, output } = await verdict('erase', '--email', 'A@example.com', '--json');
  t.equal(code, 0);
  t.match(JSON.parse(output), {
    receipt: /^era_/,
    checks: 1,
    dead_letters: 0,
    append_only_file_rewritten: true,
  });
  t.equal((await db.$queryRaw<unknown[]>`SELECT FROM check_subjects`).length, 1);
  t.match(await verdict('reconcile', '--period', '2026-11'), { code: 0 });
  t.match(await verdict('erase', '--email', 'a@'), { code: 1, output: /--email/ });
  t.equal(await db.erasure.count(), 1, 'no receipt for what was not an address');
});

t.test('accounts, keys and plans are shown and changed; a change reaches the outbox', async (t) => {
  t.match((await verdict('accounts', 'list')).output, /acc_operator/);
  t.match(await verdict('accounts', 'set-plan', ACCOUNT, 'nonsense'), {
    code: 1,
    output: /no plan "nonsense"/,
  });
  t.match(await verdict('accounts', 'set-plan', ACCOUNT, 'growth'), { code: 0 });
  t.match(await verdict('accounts', 'set-plan', 'nobody@example.com', 'growth'), {
    code: 1,
    output: /no account nobody@example.com/,
  });
  t.match((await verdict('keys', 'list', '--account', ACCOUNT)).output, /key_1 .*wxyz +active/);
  t.match(await verdict('keys', 'revoke', 'key_1'), { code: 0 });
  t.match(await verdict('keys', 'revoke', 'key_1'), { code: 1, output: /no active key/ });
  t.match(await db.account.findUnique({ where: { id: ACCOUNT } }), { plan: 'growth', version: 4 });
  t.match(JSON.parse((await verdict('plans', '--json')).output)[0], { plan: 'free', checks_per_month: 1000 });
});

t.test('a month that has not ended is not closed, and one that is wrong is refused', async (t) => {
  t.match(await verdict('statements', 'close', '--period', '2999-01'), {
    code: 1,
    output: /2999-01 has not ended: it can be closed from 2999-02-01, 00:00 UTC/,
  });
  t.match(await verdict('statements', 'close', '--period', '2026-09'), {
    code: 0,
    output: /2026-09 is already closed/,
  });
  t.match(await verdict('statements', 'close', '--period', '2026-01'), {
    code: 1,
    output: /Verdict recorded nothing/,
  });
  t.match(await verdict('statements', 'close', '--period', 'november'), { code: 1, output: /YYYY-MM/ });
});

t.test('an account is made, billed, suspended and its user helped by hand, each step audited', async (t) => {
  const json = async (...args: string[]) => JSON.parse((await verdict(...args, '--json')).output);
  const made = await json(
    'accounts',
    'create',
    'Hand.Made@example.com',
    '--plan',
    'starter',
    '--name',
    'Hand',
  );
  t.match(made, { account: /^acc_/, email: 'hand.made@example.com', password: /^(\w{4}-){3}\w{4}$/ });
  t.match(await verdict('accounts', 'create', 'hand.made@example.com'), {
    code: 1,
    output: /already registered/,
  });
  const hashed = async () =>
    (await db.user.findUniqueOrThrow({ where: { email: 'hand.made@example.com' } })).passwordHash;
  const OWASP = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;
  t.match(await hashed(), OWASP);
  const reset = await json('users', 'reset-password', 'hand.made@example.com');
  t.not(reset.password, made.password);
  t.match(await hashed(), OWASP);
  await json(
    'accounts',
    'billing',
    'hand.made@example.com',
    '--address',
    'A street\\nA town',
    '--tax-rate',
    '7.25',
  );
  t.match(await json('accounts', 'suspend', made.account, '--reason', 'unpaid'), { changed: true });
  t.match(await json('accounts', 'show', 'hand.made@example.com'), {
    plan: 'starter',
    status: 'suspended',
    suspended_reason: 'unpaid',
    billing_address: 'A street, A town',
    tax_rate: '7.25 %',
  });
  t.match(await json('accounts', 'resume', made.account), { changed: true });
  t.match(await verdict('adjustments', 'add', made.account, '--amount', '1.234', '--reason', 'x'), {
    code: 1,
    output: /"1.234" is not an amount of EUR/,
  });
  for (const absurd of [
    ['--checks', '5000000'],
    ['--checks', '10', '--amount', '5'],
    ['--amount', '1000000'],
  ]) {
    const add = ['adjustments', 'add', made.account, ...absurd, '--reason', 'a slip'];
    t.match(await verdict(...add), { code: 1, output: /add --yes if that is right/ }, absurd.join(' '));
  }
  t.match(await json('adjustments', 'add', made.account, '--credit', '5', '--reason', 'goodwill'), {
    kind: 'credit',
    amount: '-5.00',
    author: /^operator:/,
  });
  t.match(await verdict('accounts', 'delete', made.account, '--confirm', 'no'), {
    code: 1,
    output: /to delete Hand, pass --confirm acc_/,
  });
  const deleting = verdict('accounts', 'delete', made.account, '--confirm', made.account, '--json');
  // As the control plane does: the suspension reaches Redis before the account is deleted.
  await eventually(
    async () => (await db.account.findUnique({ where: { id: made.account } }))?.suspendedAt != null,
  );
  await redis.hset(accountKey(made.account, 1), 'v', '1');
  await db.$executeRaw`UPDATE accounts SET projected_version = version WHERE id = ${made.account}`;
  t.match(await deleting, { code: 0, output: /"deleted": true/ });
  t.equal(await redis.exists(accountKey(made.account, 1)), 0);
  const audit = await db.auditEvent.findMany({
    where: { accountId: made.account },
    orderBy: { createdAt: 'asc' },
  });
  t.strictSame(
    audit.map(({ action }) => action),
    [
      'user.registered',
      'user.password_reset',
      'billing.profile_set',
      'account.suspended',
      'account.resumed',
      'billing.adjusted',
      'account.suspended',
      'account.deleted',
    ],
  );
  t.ok(audit.every(({ details }) => /^operator:/.test(String((details as { by?: string }).by))));
  const [left] = await db.$queryRaw<{ status: string; billing_name: string }[]>`
    SELECT status, billing_name FROM billing.accounts WHERE account_id = ${made.account}`;
  t.match(left, { status: 'deleted', billing_name: 'Hand' }, 'who left is still billed');
  t.match(
    await json('accounts', 'billing', made.account, '--address', 'Another street'),
    { account: made.account, address: 'Another street' },
    'and what its last invoice lacks can be set',
  );
  t.match(await verdict('accounts', 'billing', 'acc_none', '--address', 'x'), { code: 1 });
});

/** Every command there is, with arguments that work here; a new one fails the test until it is in this table. */
const COMMANDS: Record<string, string[]> = {
  migrate: [],
  'accounts list': [],
  'accounts set-plan': [ACCOUNT, 'starter'],
  'accounts show': [ACCOUNT],
  'accounts create': ['new@example.com', '--plan', 'starter'],
  'accounts billing': [ACCOUNT, '--name', 'Operator GmbH', '--tax-rate', '19'],
  'accounts verify-domain': [ACCOUNT, 'granted.example'],
  'accounts suspend': [ACCOUNT, '--reason', 'test'],
  'accounts resume': [ACCOUNT],
  'accounts delete': [ACCOUNT, '--confirm', ACCOUNT],
  'users reset-password': ['new@example.com'],
  'users reset-second-factor': ['new@example.com'],
  'keys list': [],
  'keys cost-centre': ['key_2', 'CC-1'],
  'keys make-signing-key': [],
  'keys reseal': [],
  'keys revoke': ['key_2'],
  'terms list': [ACCOUNT],
  'terms set': [ACCOUNT, '--discount', '10', '--reason', 'a test'],
  plans: [],
  top: [],
  'usage show': [ACCOUNT],
  'usage export': ['--period', '2026-11'],
  'usage events': ['--period', '2026-11'],
  reconcile: ['--period', '2026-11'],
  'statements list': ['--period', '2026-09'],
  'statements show': [ACCOUNT, '--period', '2026-09'],
  'statements close': ['--period', '2026-01'],
  'adjustments list': [],
  'adjustments add': [ACCOUNT, '--amount', '-1.50', '--reason', 'a test'],
  'entities list': [],
  'entities set': ['verdict', '--name', 'Verdict GmbH', '--address', 'Here'],
  'invoices list': [],
  'invoices show': ['VERDICT-000001'],
  'invoices preview': [],
  'invoices hold': [ACCOUNT, '--why', 'a test'],
  'invoices release': [ACCOUNT, '--why', 'a test'],
  'invoices issue': [],
  'invoices settle': ['VERDICT-000001', '--on', '2026-11-02', '--ref', 'SEPA 1'],
  'invoices credit': ['VERDICT-000001', '--reason', 'a test'],
  'invoices export': ['--format', 'jsonl'],
  report: ['--period', '2026-09'],
  audit: [],
  completions: ['bash'],
  'dead-letters list': [],
  'dead-letters retry': [],
  'dead-letters discard': ['no-such'],
  'dead-letters export': [],
  erase: ['--email', 'nobody@example.com'],
  subject: ['jane@example.com'],
  'erasures export': [],
  'erasures reapply': ['/dev/null'],
  'datasets diff': ['2026-11-01', '2026-11-15'],
  'datasets keygen': [],
  'datasets looks': [],
  'datasets releases': [],
  'datasets rollback': [],
  'datasets sources': [],
  'datasets update': [],
  explain: ['jane@example.com'],
  'outcomes import': ['outcomes.csv'],
  'policy live': [],
  'policy pull': [],
  'policy push': ['policy.json'],
  'policy test': ['policy.json'],
  shards: ['2'],
  'users make-operator': ['new@example.com'],
  'users unmake-operator': ['new@example.com'],
  backup: ['/nowhere'],
  'facts list': [],
  'facts archive': ['--before', '2000-01', '--to', '/nowhere'],
  'facts show': ['log_01', '--from', '/nowhere'],
  'facts query': ['SELECT 1', '--from', '/nowhere'],
  'facts restore': ['2000-01', '--from', '/nowhere'],
  restore: ['/nowhere'],
};
/** Shown where the service, the owner or the empty database that they need is at hand; the migration engine starts once a process. */
const SHOWN_ELSEWHERE = [
  'datasets keygen',
  'datasets releases',
  'datasets rollback',
  'datasets sources',
  'datasets update',
  'explain',
  'outcomes import',
  'policy live',
  'policy pull',
  'policy push',
  'policy test',
  'shards',
  'users make-operator',
  'users unmake-operator',
  'backup',
  'facts archive',
  'facts show',
  'facts query',
  'facts restore',
  'restore',
  'migrate',
  'accounts delete',
  'accounts verify-domain',
  'invoices show',
  'invoices settle',
  'invoices credit',
  'invoices export',
  'completions',
];

t.test('every command prints JSON when asked, and nothing else', async (t) => {
  const all = leaves(await createProgram({ write: () => {}, fail: () => {} }));
  t.strictSame(all.sort(), Object.keys(COMMANDS).sort());
  await db.apiKey.create({
    data: { id: 'key_2', accountId: ACCOUNT, name: 'b', prefix: 'vrd', lastFour: 'abcd', secretHash: 'h2' },
  });
  for (const [name, args] of Object.entries(COMMANDS)) {
    if (SHOWN_ELSEWHERE.includes(name)) continue;
    const { output } = await verdict(...name.split(' '), ...args, '--json');
    for (const text of /^(dead-letters export|erasures export|subject)$/.test(name)
      ? output.split('\n').filter(Boolean)
      : [output]) {
      t.doesNotThrow(() => JSON.parse(text), `${name}: ${output}`);
    }
  }
});

t.test('an operator verifies a pending domain of single sign-on, and no other', async (t) => {
  await db.ssoConnection.create({
    data: {
      ...{ accountId: ACCOUNT, issuer: 'https://id.example', clientId: 'c', clientSecret: 's' },
      ...{ defaultRole: 'analyst', proof: 'p', domains: { create: { domain: 'granted.example' } } },
    },
  });
  t.teardown(() => db.ssoConnection.delete({ where: { accountId: ACCOUNT } }));
  t.match(await verdict('accounts', 'verify-domain', ACCOUNT, 'other.example'), {
    code: 1,
    output: /is no pending domain of the account/,
  });
  t.equal((await verdict('accounts', 'verify-domain', ACCOUNT, 'Granted.example')).code, 0);
  const [domain] = await db.ssoDomain.findMany({ where: { accountId: ACCOUNT } });
  t.ok(domain?.provenAt);
});

/** Problems that operators met, and the sentence that they read now. */
const SENTENCES: readonly { u: number; args: string[]; code: number; sentence: RegExp }[] = [
  {
    u: 13,
    args: ['backup', tmpdir()],
    code: 1,
    sentence: /is not empty: a backup goes to a new folder$/,
  },
  {
    u: 14,
    args: ['statements', 'close', '--period', '2999-01'],
    code: 1,
    sentence: /^2999-01 has not ended: it can be closed from 2999-02-01, 00:00 UTC\.$/,
  },
  {
    u: 14,
    args: ['statements', 'close', '--period', '2026-09'],
    code: 0,
    sentence: /^2026-09 is already closed\.$/,
  },
  {
    u: 31,
    args: ['accounts', 'set-plan', 'nobody@example.com', 'growth'],
    code: 1,
    sentence: /no account nobody@example\.com/,
  },
  {
    u: 31,
    args: ['accounts', 'set-plan', ACCOUNT, 'nonsense'],
    code: 1,
    sentence: /^there is no plan "nonsense"; see verdict plans$/,
  },
  {
    u: 31,
    args: ['usage', 'show', 'nobody@example.com'],
    code: 1,
    sentence: /no account nobody@example\.com/,
  },
  {
    u: 31,
    args: ['statements', 'list', '--period', '2026-01'],
    code: 0,
    sentence: /^2026-01 has no statements/,
  },
];

for (const { u, args, code, sentence } of SENTENCES) {
  t.test(`U${u}: verdict ${args.slice(0, 2).join(' ')} says ${sentence.source}`, async (t) => {
    const answer = await verdict(...args);
    t.equal(answer.code, code, answer.output);
    t.match(answer.output.trim(), sentence);
  });
}

t.test('U32: a command makes the second signing key that rotation asks for', async (t) => {
  const made = JSON.parse((await verdict('keys', 'make-signing-key', '--json')).output);
  const signing = JSON.parse(made.JWT_SIGNING_KEY);
  t.match(signing, { kty: 'OKP', crv: 'Ed25519', d: /./, kid: /./ });
  const [published] = JSON.parse(made.JWT_PUBLIC_KEYS).keys;
  t.match(published, { kid: signing.kid, x: signing.x });
  t.notOk('d' in published, 'its private part is not published');
});

t.test(
  'who invoices, what was issued, closed, repaired and given up is in the log of operators',
  async (t) => {
    process.env.VERDICT_OPERATOR = 'jane';
    t.teardown(() => delete process.env.VERDICT_OPERATOR);
    await verdict(
      'entities',
      'set',
      'second',
      '--name',
      'Second Ltd',
      '--address',
      'Here',
      '--prefix',
      'SEC-',
    );
    await verdict('entities', 'set', 'second', '--payment', 'IBAN 1');
    await verdict('entities', 'set', 'second', '--payment', 'IBAN 2');
    await verdict('dead-letters', 'discard', 'no-such');
    const events = JSON.parse((await verdict('audit', '--json')).output) as Record<string, string>[];
    const mine = events
      .filter(({ by }) => by === 'operator:jane')
      .map(({ action, target }) => `${action} ${target}`);
    t.strictSame(mine, [
      'dead_letters.discarded no-such',
      'entity.set second',
      'entity.set second',
      'entity.set second',
    ]);
    const [, latest] = events;
    t.match(JSON.parse(latest?.details ?? '{}'), { payment: 'IBAN 2', before: { payment: 'IBAN 1' } });
    t.ok(
      events.some(({ action, target }) => action === 'month.repaired' && target === '2026-11'),
      'the repair of the first test',
    );
    t.ok(events.some(({ action }) => action === 'address.erased'));
    t.match(await verdict('audit', '--account', ACCOUNT), { code: 0, output: /subscription\.changed/ });
  },
);

t.test('an invoice is settled by hand, and the list says which are paid', async (t) => {
  const fields = {
    ...{
      kind: 'invoice',
      account_id: ACCOUNT,
      month: '2026-01-01',
      issued_on: '2026-02-01',
      currency: 'EUR',
    },
    ...{ subtotal: 1900, tax_rate: 0, tax: 0, total: 1900, document: { buyer: { name: 'X' }, lines: [] } },
  };
  const [made] = await db.$queryRaw<{ number: string }[]>`
    SELECT write_invoice('second', ${JSON.stringify(fields)}::jsonb) AS number`;
  const number = made?.number ?? '';
  const listed = async (status: string) =>
    (
      JSON.parse((await verdict('invoices', 'list', '--status', status, '--json')).output) as {
        number: string;
      }[]
    )
      .map((invoice) => invoice.number)
      .includes(number);
  t.ok(await listed('overdue'));
  const settle = (...args: string[]) => verdict('invoices', 'settle', number, ...args);
  t.match(await settle('--on', '2026-11-02'), { code: 1, output: /--ref/ });
  t.match(await settle('--on', '2026-02-30', '--ref', 'a'), { code: 1, output: /YYYY-MM-DD/ });
  t.match(await settle('--on', '9999-01-01', '--ref', 'a'), { code: 1, output: /future/ });
  t.match(await settle('--on', '2026-11-02', '--ref', 'SEPA 1'), { code: 0, output: /status: paid/ });
  t.ok(await listed('paid'));
  t.match(await settle('--undo'), { code: 0, output: /status: overdue/ });
});

t.test('the version, and completions that a shell understands, need no settings', async (t) => {
  const entry = programFile('verdict');
  const run = async (...args: string[]) => {
    const bare = startProcess(process.execPath, [entry, ...args], { PATH: process.env.PATH });
    t.equal((await bare.exited).code, 0, args.join(' '));
    return bare.output();
  };
  t.match(await run('--version'), /^\d+\.\d+\.\d+\n$/);
  const script = await run('completions', 'bash');
  const complete = `${script}\nCOMP_WORDS=(verdict accounts s); COMP_CWORD=2; _verdict; echo "\${COMPREPLY[@]}"`;
  const bash = startProcess('bash', ['-c', complete], { PATH: process.env.PATH });
  t.equal((await bash.exited).code, 0);
  t.equal(bash.output().trim(), 'show set-plan suspend');
});

t.test('whatever is wrong, the operator gets one line and exit code 1', async (t) => {
  const entry = programFile('verdict');
  const nowhere = {
    PATH: process.env.PATH,
    DATABASE_URL: 'postgresql://postgres@127.0.0.1:9/x',
    REDIS_URL: 'redis://127.0.0.1:9',
    SCORING_URLS: 'http://127.0.0.1:9',
    EMAIL_HASH_SECRET: secret,
  };
  const cases: [args: string[], sentence: RegExp][] = [
    [['accounts', 'list'], /reach|ECONNREFUSED/],
    [['dead-letters', 'list'], /Redis cannot be reached/],
    [['reconcile'], /reach|ECONNREFUSED/],
    [['datasets'], /scoring does not answer at http:\/\/127\.0\.0\.1:9/],
    [['restore', '/nowhere'], /nowhere/],
    [['reconcile', '--period', '2026-13'], /YYYY-MM/],
    [['erase'], /--email/],
    [['keys', 'revoke'], /key/],
    [['nonsense'], /unknown command/],
    [['plans', '--nonsense'], /unknown option/],
  ];
  const ended = await Promise.all(
    cases.map(async ([args, sentence]) => {
      const run = startProcess(process.execPath, [entry, ...args], nowhere);
      return { args, sentence, code: (await run.exited).code, output: run.output() };
    }),
  );
  for (const { args, sentence, code, output } of ended) {
    t.equal(code, 1, args.join(' '));
    t.match(output, sentence);
    t.equal(output.trim().split('\n').length, 1, `one line: ${output}`);
  }
});

function leaves(command: Command, path: readonly string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(' ')];
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}

t.test('shards are changed only when nothing is queued, and accounts are projected anew', async (t) => {
  const own = await startRedis();
  const other = connectForQueues({ url: own.url, timeoutMs: 20_000 }, 'test');
  t.teardown(async () => {
    other.disconnect();
    process.env.REDIS_URL = server.url;
    await own.stop();
  });
  process.env.REDIS_URL = own.url;
  await other.hset(accountKey('acc_1', 1), 'v', 1);
  await other.set('verdict:shards', '1');
  const job = 'verdict:queue:{0}:check-logs:wait';
  await other.rpush(job, 'bat_1');
  await other.hset('verdict:queue:{0}:check-logs:bat_1', 'timestamp', Date.now());
  t.match(await verdict('shards', '6'), { code: 1, output: /queue still holds checks/ });
  t.equal(await other.exists(accountKey('acc_1', 1)), 1);
  await other.del(job);
  t.match(await verdict('shards', 'many'), { code: 1 });
  t.match(await verdict('shards', '6', '--json'), {
    code: 0,
    output: /"from": 1,\s+"to": 6,\s+"dropped": 1/,
  });
  t.equal(await other.get('verdict:shards'), '6');
  t.match(await verdict('reconcile'), { code: 1, output: /REDIS_SHARDS is 1, but .* spread over 6/ });
});

t.test('migrate says what it applied; a missing setting is one sentence', async (t) => {
  // As the owner: a role of the services may change no table.
  process.env.DATABASE_URL = database.url;
  t.match(await verdict('migrate', '--json'), { code: 0, output: /^\[\]\n$/ });
  const folder = join(mkdtempSync(join(tmpdir(), 'verdict-cli-')), 'backup');
  const taken = await verdict('backup', folder, '--json');
  t.doesNotThrow(() => JSON.parse(taken.output), taken.output);
  const archive = join(folder, 'facts');
  t.match(await verdict('facts', 'archive', '--before', '2000-01', '--to', archive, '--json'), {
    code: 0,
    output: /^\[\]\n$/,
  });
  t.match(await verdict('facts', 'restore', '1999-12', '--from', archive), {
    code: 1,
    output: /1999-12 is not archived/,
  });
  const entry = programFile('verdict');
  const migrated = startProcess(process.execPath, [entry, 'migrate'], process.env);
  t.equal((await migrated.exited).code, 0);
  t.match(migrated.output(), /up to date/);
  const bare = startProcess(process.execPath, [entry, 'migrate'], { PATH: process.env.PATH });
  t.equal((await bare.exited).code, 1);
  t.match(bare.output(), /^the configuration is not valid: DATABASE_URL is missing\n$/);
});

t.test('facts show finds a check that is not archived yet, and says where it looked', async (t) => {
  const id = 'log_00000000000000000000000000';
  const folder = mkdtempSync(join(tmpdir(), 'verdict-facts-'));
  for (const from of [[], ['--from', folder]]) {
    const { code, output } = await verdict('facts', 'show', id, ...from, '--json');
    t.equal(code, 0, output);
    t.match(JSON.parse(output), { id, account_id: ACCOUNT, decision: 'allow', created_at: CREATED_AT });
  }
  t.match(await verdict('facts', 'show', 'log_00000000000000000000000009', '--from', folder), {
    code: 1,
    output: `no file in ${folder} and no row holds the check log_00000000000000000000000009`,
  });
});

t.test('facts query asks duckdb, and where it is missing prints what to run elsewhere', async (t) => {
  const { PATH } = process.env;
  t.teardown(() => Object.assign(process.env, { PATH }));
  const folder = mkdtempSync(join(tmpdir(), 'verdict-duckdb-'));
  const ask = (...more: string[]) =>
    verdict('facts', 'query', "SELECT 'it''s' FROM facts", '--from', "/a b's", ...more);
  const view = `CREATE VIEW facts AS SELECT * FROM read_parquet('/a b''s/check_logs_*.parquet', union_by_name = true);`;
  process.env.PATH = folder;
  const { code, output } = await ask();
  t.equal(code, 1);
  t.match(output, 'duckdb is not installed here');
  writeFileSync(
    join(folder, 'duckdb'),
    `#!${process.execPath}\nconsole.log(JSON.stringify(process.argv.slice(2)))\n`,
    {
      mode: 0o755,
    },
  );
  const asked = ['-c', `${view} SELECT 'it''s' FROM facts`];
  const printed = output.slice(output.indexOf('duckdb -c'));
  const typed = await promisify(execFile)('/bin/sh', ['-c', printed], { env: { PATH: folder } });
  t.strictSame(JSON.parse(typed.stdout), asked, 'a shell reads what is printed as it was meant');
  t.strictSame(JSON.parse((await ask()).output), asked);
  t.strictSame(JSON.parse((await ask('--json')).output), ['-json', ...asked]);
  writeFileSync(join(folder, 'duckdb'), '#!/bin/sh\necho "Binder Error" >&2\nexit 1\n');
  t.match(await ask(), { code: 1, output: 'Binder Error' });
});

t.test('a reader that has seen enough ends a command without a stack trace', async (t) => {
  const command = `"${process.execPath}" "${programFile('verdict')}" --help | true`;
  const { stderr } = await promisify(execFile)('sh', ['-c', command]);
  t.equal(stderr, '');
});
