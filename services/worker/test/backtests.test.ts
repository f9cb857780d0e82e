import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import { takeBacktests } from '@verdict/db/policies/backtest-queue.js';
import type { BacktestResult } from '@verdict/db/policies/backtest-result.js';
import { createBacktests } from '@verdict/db/policies/backtests.js';
import { compilePolicy } from '@verdict/domain/policy/compile-policy.js';
import type { Rule } from '@verdict/domain/policy/policy.js';
import { readPolicy } from '@verdict/domain/policy/read-policy.js';
import { samplePolicies } from '@verdict/local-stack/arbitrary-policy.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { enforceRetention } from '@verdict/metering/enforce-retention.js';
import t from 'tap';
import { backtestWork } from '../src/policies/backtest-work.js';
import { createPolicyRules } from '../src/policies/policy-rules.js';
import { runBacktest } from '../src/policies/run-backtest.js';
import { checkLog, createId } from './support/check-log.js';
import { type Answer, KEY, randomChecks, seededRandom } from './support/random-checks.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, config } = setting;
const DAY_MS = 86_400_000;
/** Checks of a second ago and a microsecond around it; rules end there too. */
const AROUND = Date.now() * 1_000 - 999_487;
const INSTANTS = [-1, 0, 1].map((micros) => AROUND + micros);
const BLOCK_ALL: Rule[] = [
  { name: 'Watched', when: { all: [{ field: 'score', op: 'gte', value: 50 }] }, then: { watch: true } },
  { name: 'All', when: { all: [{ field: 'score', op: 'gte', value: 0 }] }, then: { exactly: 'block' } },
];

async function accountWith(...policies: (readonly Rule[])[]): Promise<string> {
  const id = createId('acc');
  await db.account.create({ data: { id, name: 'a', plan: 'free' } });
  for (const [i, rules] of policies.entries()) {
    await db.$executeRaw`
      INSERT INTO policies (account_id, version, rules) VALUES (${id}, ${i + 1}, ${JSON.stringify(rules)}::jsonb)`;
  }
  return id;
}

async function withWorker<T>(work: () => Promise<T>): Promise<T> {
  const worker = await setting.startWorker();
  try {
    return await work();
  } finally {
    await worker.stop();
  }
}

/** Checks of an account under its first version, as a worker stores them. */
async function storeChecks(account: string, rules: readonly Rule[], checks: number, seed = 11) {
  const random = seededRandom(seed);
  const asked = { account, version: 1, policy: compilePolicy(rules), checks: checks / INSTANTS.length };
  const answers = new Map<string, Answer>();
  for (const atMicros of INSTANTS) {
    const judged = randomChecks(random, { ...asked, atMicros });
    for (const [id, answer] of judged.answers) answers.set(id, answer);
    await setting.queue(judged.job);
  }
  await eventually(async () => (await setting.counts(account)).rows === checks, { withinMs: 120_000 });
  return answers;
}

const start = async (account: string, version: number): Promise<string> => {
  const id = createId('bkt');
  const [from, to] = [-DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString()) as [
    string,
    string,
  ];
  await createBacktests(db, account).create({ id, version, from, to, createdBy: 'usr_1' });
  return id;
};

async function ended(account: string, id: string): Promise<BacktestResult & { done: number }> {
  const row = await eventually(async () => {
    const found = await createBacktests(db, account).find(id);
    return found?.status === 'done' ? found : null;
  });
  if (!row.result) throw new Error('a backtest that is done has a result');
  return { ...row.result, done: row.done };
}

async function runOnce(account: string, version: number): Promise<BacktestResult & { done: number }> {
  return ended(account, await start(account, version));
}

const countsOf = (result: Pick<BacktestResult, 'cells'>) =>
  Object.fromEntries(
    Object.entries(result.cells)
      .map(([name, { checks }]) => [name, checks] as const)
      .sort(),
  );
const leftOut = (result: Pick<BacktestResult, 'left_out'>) =>
  Object.values(result.left_out).reduce((sum, checks) => sum + checks, 0);

/** The cells of other rules, from what was answered. */
function expected(answers: ReadonlyMap<string, Answer>, rules: readonly Rule[]) {
  const policy = compilePolicy(rules);
  const cells: Record<string, number> = {};
  for (const { decision, under } of answers.values()) {
    const name = `${decision} ${under(policy).decision}`;
    cells[name] = (cells[name] ?? 0) + 1;
  }
  return Object.fromEntries(Object.entries(cells).sort());
}

const CHECKS = 300;

t.test(
  'a backtest of the live version changes nothing, and one of other rules is what these would answer',
  async (t) => {
    const policies = samplePolicies(6, 51, AROUND).map(
      (rules) => readPolicy({ rules }, POLICY_LANGUAGE).rules,
    );
    const compare = async (rules: readonly Rule[], i: number) => {
      const other = policies[(i + 1) % policies.length] as readonly Rule[];
      const account = await accountWith(rules, [], other);
      const answers = await storeChecks(account, rules, CHECKS, 11 + i);
      const stored = await db.$queryRaw<{ decision: string; checks: number }[]>`
      SELECT decision, count(*)::int AS checks FROM check_logs WHERE account_id = ${account} GROUP BY 1 ORDER BY 1`;
      const live = await runOnce(account, 1);
      t.strictSame(
        countsOf(live),
        Object.fromEntries(stored.map(({ decision, checks }) => [`${decision} ${decision}`, checks])),
        'the diagonal, as SQL counts it',
      );
      t.strictSame([live.done, leftOut(live)], [CHECKS, 0]);
      const policy = compilePolicy(rules);
      const hits = policy.rules.map(
        (_, rule) =>
          [...answers.values()].filter(({ under }) => {
            const judged = under(policy);
            return judged.rule === rule || judged.watched?.includes(rule);
          }).length,
      );
      t.strictSame(live.hits, hits, 'each rule as often as it matched');
      t.strictSame(countsOf(await runOnce(account, 2)), expected(answers, []), 'without rules');
      t.strictSame(countsOf(await runOnce(account, 3)), expected(answers, other), 'by other rules');
    };
    await withWorker(() => Promise.all(policies.map(compare)));
  },
);

t.test('a period that ends now ends at the oldest check that is still queued', async (t) => {
  const account = await accountWith([], BLOCK_ALL);
  await withWorker(() => storeChecks(account, [], CHECKS));
  // As a frozen worker holds it: after the stored checks, and not in Postgres.
  const queuedAtMs = Math.ceil(AROUND / 1_000) + 2;
  const asked = { account, version: 1, policy: compilePolicy([]), checks: 10, atMicros: queuedAtMs * 1_000 };
  await setting.queue(randomChecks(seededRandom(7), asked).job, queuedAtMs);
  const id = await start(account, 2);
  const plans = { policyRules: createPolicyRules(db), plans: config.plans, lookUp: null };
  const work = backtestWork({ ...setting, ...plans });
  for (const taken of await work.take(1)) await work.run(taken, new AbortController().signal);
  const early = await createBacktests(db, account).find(id);
  t.match(early, { status: 'done', done: CHECKS });
  t.equal(Date.parse(early?.to ?? ''), queuedAtMs, 'it says up to when it has judged');

  await withWorker(async () => {
    await eventually(async () => (await setting.counts(account)).rows === CHECKS + 10);
    t.equal((await runOnce(account, 2)).done, CHECKS + 10, 'one that is started later has them');
  });
});

t.test('a worker that takes over from one that died counts each check once', async (t) => {
  const account = await accountWith([], BLOCK_ALL);
  const answers = await withWorker(() => storeChecks(account, [], CHECKS));
  const id = await start(account, 2);
  const [taken] = await takeBacktests(db, 1);
  t.match(taken, { id, lease: 1, result: null });
  if (!taken) return;
  t.same(await takeBacktests(db, 1), [], 'one worker has it');
  const deps = { db, policyRules: createPolicyRules(db), plans: config.plans, lookUp: null };
  let pages = 0;
  const isDone = await runBacktest({ ...deps, pageMax: 40 }, taken, () => ++pages > 3);
  t.equal(isDone, false);
  const half = await createBacktests(db, account).find(id);
  t.match(half, { status: 'running', done: 120 });
  await db.$executeRaw`UPDATE policy_backtests SET leased_until = now() WHERE id = ${id}`;
  const worker = await setting.startWorker();
  const result = await ended(account, id);
  await worker.stop();
  t.strictSame(countsOf(result), expected(answers, BLOCK_ALL));
  t.strictSame([result.done, leftOut(result)], [CHECKS, 0]);
  for (const { samples } of Object.values(result.cells))
    t.ok(samples.length <= 50 && new Set(samples).size === samples.length, 'samples are few and differ');
  const over = await createBacktests(db, account).find(id);
  let late = 0;
  await runBacktest({ ...deps, pageMax: 40 }, taken, () => ++late > 1);
  t.strictSame(await createBacktests(db, account).find(id), over, 'the first worker writes nothing more');
});

t.test('checks whose address is gone or that lack what a rule needs are left out and counted', async (t) => {
  const network: Rule = {
    name: 'Tor',
    when: { all: [{ field: 'ip.kind', op: 'eq', value: 'tor' }] },
    then: { exactly: 'block' },
  };
  const server: Rule = {
    name: 'Rotating',
    when: { all: [{ field: 'mail.host', op: 'under', value: 'rotating-hosts.net' }] },
    then: { exactly: 'block' },
  };
  const account = await accountWith([], BLOCK_ALL, [network], [server]);
  await withWorker(() => storeChecks(account, [], CHECKS));
  const ids = await db.$queryRaw<{ id: string; at: Date }[]>`
    SELECT id, created_at AS at FROM check_logs WHERE account_id = ${account}
      AND NOT factors @> '[{"code": "ACCOUNT_BLOCK"}]' ORDER BY id LIMIT 30`;
  const some = (from: number, to: number) => ids.slice(from, to).map(({ id }) => id);
  await db.$executeRaw`DELETE FROM check_subjects WHERE id = ANY(${some(0, 7)})`;
  await db.$executeRaw`UPDATE check_logs SET extra = NULL WHERE id = ANY(${some(7, 12)})`;
  await db.$executeRaw`UPDATE check_logs SET ip_network = NULL WHERE id = ANY(${some(12, 23)})`;
  await db.$executeRaw`UPDATE check_subjects SET email = 'a***@example.com' WHERE id = ANY(${some(12, 16)})`;
  await db.$executeRaw`UPDATE check_subjects SET email = NULL, ip = NULL WHERE id = ANY(${some(16, 23)})`;
  const all = await withWorker(() => runOnce(account, 2));
  t.strictSame(all.left_out, { erased: 7, expired: 0, earlier_release: 5, no_network: 0, no_mx: 0 });
  const sum = (result: BacktestResult) =>
    Object.values(result.cells).reduce((total, { checks }) => total + checks, 0);
  t.strictSame([sum(all), all.done], [CHECKS - 12, CHECKS]);
  const byNetwork = await withWorker(() => runOnce(account, 3));
  t.strictSame(byNetwork.left_out, { erased: 7, expired: 0, earlier_release: 5, no_network: 11, no_mx: 0 });
  t.equal(sum(byNetwork), CHECKS - 23);
  await db.$executeRaw`UPDATE check_subjects SET mx = NULL WHERE id = ANY(${some(12, 15)})`;
  const byServer = await withWorker(() => runOnce(account, 4));
  t.strictSame(byServer.left_out, { erased: 7, expired: 0, earlier_release: 5, no_network: 0, no_mx: 3 });
  t.equal(sum(byServer), CHECKS - 15);
  await setting.db.$executeRaw`UPDATE accounts SET plan = 'none' WHERE id = ${account}`;
  const expired = await withWorker(() => runOnce(account, 2));
  t.strictSame(expired.left_out, { erased: 0, expired: 7, earlier_release: 5, no_network: 0, no_mx: 0 });
});

/** The rules of the preset for an attack, without their end. */
const ATTACK: Rule[] = [
  {
    name: 'Attack: bursts and hidden networks',
    when: {
      any: [
        { field: 'seen.mailbox', op: 'gte', value: 2 },
        { field: 'ip.kind', op: 'in', value: ['tor', 'vpn', 'hosting'] },
      ],
    },
    then: { at_least: 'review' },
  },
  {
    name: 'Attack: any doubt',
    when: { any: [{ field: 'score', op: 'gte', value: 10 }] },
    then: { at_least: 'challenge' },
  },
];

t.test(
  'the first rule about networks is judged on every stored check, by the IP data of today',
  async (t) => {
    const account = await accountWith([], ATTACK);
    const ips = Array.from({ length: 60 }, (_, i) => `5.9.12.${i}`);
    const checks = [...ips, null, null].map((ip) => checkLog({ account_id: account, key_id: KEY, ip }));
    const questions: string[][] = [];
    const scoring = createServer(async (request, response) => {
      const { ips: asked } = (await json(request)) as { ips: string[] };
      questions.push(asked);
      const networks = asked.map(() => ({ kind: 'hosting', country: 'DE', asn: 24940, organisation: null }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ networks }));
    }).listen(0, '127.0.0.1');
    t.teardown(() => scoring.close());
    await once(scoring, 'listening');
    const { port } = scoring.address() as AddressInfo;
    const worker = await setting.startWorker({
      SCORING_URLS: `http://127.0.0.1:${port}`,
      CONTROL_PLANE_INTERNAL_URL: 'http://127.0.0.1:9',
      INTERNAL_TOKEN: 'x'.repeat(32),
    });
    await setting.queueChecks(checks);
    await eventually(async () => (await setting.counts(account)).rows === 62);
    const judged = await runOnce(account, 2);
    t.strictSame(countsOf(judged), { 'allow allow': 2, 'allow review': 60 });
    t.strictSame([judged.hits, judged.looked_up, leftOut(judged)], [[60, 0], 60, 0]);
    t.strictSame([judged.with_network, judged.with_counts], [60, 0], 'and says what they came with');
    t.strictSame(questions.flat().sort(), [...ips].sort(), 'each IP is asked about once');

    await db.$executeRaw`UPDATE check_logs SET ip_network = 'relay' WHERE account_id = ${account} AND ip_network IS NULL
    AND id IN (SELECT id FROM check_subjects WHERE account_id = ${account} AND ip < '5.9.12.2')`;
    const stored = await runOnce(account, 2);
    const kept = ips.filter((ip) => ip < '5.9.12.2').length;
    t.strictSame(
      countsOf(stored),
      { 'allow allow': 2 + kept, 'allow review': 60 - kept },
      'a stored network stays',
    );
    t.equal(stored.looked_up, 60 - kept);

    await db.$executeRaw`UPDATE accounts SET ip_intelligence = false WHERE id = ${account}`;
    const without = await runOnce(account, 2);
    t.strictSame(
      countsOf(without),
      { 'allow allow': 62 },
      'a network that checks do not look up matches nothing',
    );
    t.strictSame([without.looked_up, without.with_network, leftOut(without)], [0, 0, 0]);
    await db.$executeRaw`UPDATE accounts SET ip_intelligence = true WHERE id = ${account}`;
    await worker.stop();
    const away = await withWorker(() => runOnce(account, 2));
    t.match(away.left_out, { no_network: 60 - kept }, 'a worker without scoring counts them as left out');
  },
);

t.test(
  'an account runs one backtest at a time, and results go after 30 days or with the account',
  async (t) => {
    const account = await accountWith([]);
    const backtests = createBacktests(db, account);
    const id = await start(account, 1);
    t.equal(await backtests.find(await start(account, 1)), undefined, 'a second one does not start');
    t.match(await backtests.find(id), { status: 'queued' });
    t.equal(await createBacktests(db, await accountWith([])).find(id), undefined, 'of this account only');
    await db.$executeRaw`UPDATE policy_backtests SET tries = 20 WHERE id = ${id}`;
    await withWorker(() => eventually(async () => (await backtests.find(id))?.status !== 'queued'));
    t.match(await backtests.find(id), { status: 'failed' }, 'one that no worker gets through fails');
    const next = await start(account, 1);
    t.match(await backtests.newestOf(1), { id: next });
    await db.$executeRaw`UPDATE policy_backtests SET created_at = now() - interval '31 days' WHERE id = ${id}`;
    await enforceRetention({ db }, config.plans, Date.now(), 30);
    t.equal(await backtests.find(id), undefined);
    t.ok(await backtests.find(next));
    await db.account.delete({ where: { id: account } });
    t.equal(await backtests.find(next), undefined);
  },
);
