import { judgeStored } from '@verdict/admission/judge-stored.js';
import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import { createLogSearch } from '@verdict/db/checks/log-search.js';
import { forgetDepartedPolicies } from '@verdict/db/policies/forget-departed-policies.js';
import { createPolicies } from '@verdict/db/policies/policies.js';
import { readNewestChecks } from '@verdict/db/policies/stored-checks.js';
import { compilePolicy } from '@verdict/domain/policy/compile-policy.js';
import type { Rule } from '@verdict/domain/policy/policy.js';
import { readPolicy } from '@verdict/domain/policy/read-policy.js';
import { samplePolicies } from '@verdict/local-stack/arbitrary-policy.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { checkLog, createId, jobOf, verdictOf } from './support/check-log.js';
import { type Answer, judgedBy, KEY, randomChecks, seededRandom } from './support/random-checks.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, deadLetters } = setting;

async function accountWith(...policies: (readonly Rule[])[]): Promise<string> {
  const id = createId('acc');
  await db.account.create({ data: { id, name: 'a', plan: 'free' } });
  for (const [i, rules] of policies.entries()) {
    await db.$executeRaw`
      INSERT INTO policies (account_id, version, rules) VALUES (${id}, ${i + 1}, ${JSON.stringify(rules)}::jsonb)`;
  }
  return id;
}

const rule = (
  name: string,
  then: Rule['then'],
  field = 'score',
  op = 'gte',
  value: string | number = 0,
): Rule => ({
  name,
  when: { all: [{ field, op, value }] },
  then,
});

const stored = (account: string) => db.$queryRaw<Record<string, unknown>[]>`
  SELECT decision, risk_score::int, verdict_score::int, policy_version, policy_rule::int, extra, seen::int[], ip_network, shadow
  FROM check_logs WHERE account_id = ${account} ORDER BY id`;

t.test('a row is judged by the versions of its note, and the shadow changes nothing of it', async (t) => {
  const live = [
    rule('Never', { exactly: 'block' }, 'ending', 'eq', 'edu'),
    rule('All', { at_least: 'review' }),
  ];
  const account = await accountWith(
    live,
    [rule('Shadow', { exactly: 'allow' })],
    [rule('Never', { exactly: 'block' }, 'ending', 'eq', 'edu')],
    [rule('Look', { watch: true })],
  );
  const worker = await setting.startWorker();
  const log = () => checkLog({ account_id: account, key_id: KEY, ip: null, verdict: verdictOf('challenge') });
  await setting.queue(judgedBy('1/2', [log()]));
  await setting.queue(judgedBy('1/', [log()]));
  await setting.queue(judgedBy('/2', [log()]));
  await setting.queue(judgedBy('/3', [log()]));
  await setting.queue(judgedBy('/4', [log()]));
  await setting.queue(jobOf([log()]));
  await eventually(async () => (await stored(account)).length === 6);
  await worker.stop();
  const rows = (await stored(account)).map(({ decision, policy_version, policy_rule, shadow }) => [
    decision,
    policy_version,
    policy_rule,
    shadow,
  ]);
  const shadow = { rule: 0, version: 2, decision: 'allow', risk_score: 29 };
  t.strictSame(
    new Set(rows.map((row) => JSON.stringify(row))),
    new Set([
      JSON.stringify(['review', 1, 1, shadow]),
      JSON.stringify(['review', 1, 1, null]),
      JSON.stringify(['challenge', null, null, shadow]),
      JSON.stringify(['challenge', null, null, { version: 3 }]),
      JSON.stringify([
        'challenge',
        null,
        null,
        { rule: null, version: 4, watched: [0], decision: 'challenge', risk_score: 40 },
      ]),
      JSON.stringify(['challenge', null, null, null]),
    ]),
  );
  const [row] = await stored(account);
  t.match(row, { verdict_score: 40, extra: [], seen: null, ip_network: '' });
});

t.test(
  'each rule that matched counts its day once, however often its job comes, and rows agree',
  async (t) => {
    const rules = [
      rule('Look', { watch: true }),
      rule('High', { at_least: 'review' }, 'score', 'gte', 50),
      rule('All', { at_least: 'challenge' }),
    ];
    const account = await accountWith(rules, [rules[1], rules[0]] as Rule[]);
    const worker = await setting.startWorker();
    const log = (decision: 'allow' | 'block') =>
      checkLog({ account_id: account, key_id: KEY, verdict: verdictOf(decision) });
    const first = judgedBy('1/', [log('allow'), log('allow'), log('block')]);
    await setting.queue(first);
    await setting.queue(judgedBy('2/', [log('allow'), log('block')]));
    await setting.queue(jobOf([log('block')]));
    await eventually(async () => (await stored(account)).length === 6);
    await setting.queue(first);
    const last = log('allow');
    await setting.queue(judgedBy('1/', [last]));
    await eventually(async () => (await stored(account)).length === 7);
    await worker.stop();
    const counted = await db.$queryRaw`
    SELECT version, rule::int, checks::int FROM policy_matches WHERE account_id = ${account} ORDER BY 1, 2`;
    t.strictSame(counted, [
      { version: 1, rule: 0, checks: 4 },
      { version: 1, rule: 1, checks: 1 },
      { version: 1, rule: 2, checks: 3 },
      { version: 2, rule: 0, checks: 1 },
      { version: 2, rule: 1, checks: 1 },
    ]);
    const byName = await createPolicies(db, account).matches(['Look', 'High', 'All', 'None'], 7);
    t.strictSame(
      byName.map((one) => [one.rule, one.today, one.days]).sort(),
      [
        ['All', 3, 3],
        ['High', 2, 2],
        ['Look', 5, 5],
      ],
      'a rule keeps its count over versions',
    );
    await db.$executeRaw`UPDATE policy_matches SET day = day - 6 WHERE account_id = ${account} AND version = 2`;
    await db.$executeRaw`UPDATE policy_matches SET day = day - 7 WHERE account_id = ${account} AND version = 1 AND rule = 0`;
    const older = await createPolicies(db, account).matches(['Look', 'High'], 7);
    t.strictSame(older.map((one) => [one.rule, one.today, one.days]).sort(), [
      ['High', 1, 2],
      ['Look', 0, 1],
    ]);
    const decided = await createLogSearch(db, account).page({ rule: 'High' }, null, 10);
    t.strictSame(
      decided.map(({ policy }) => policy),
      [
        { version: 2, rule: 'High' },
        { version: 1, rule: 'High' },
      ],
      'logs find what it decided in every version',
    );
    t.strictSame(await createLogSearch(db, account).page({ rule: 'None' }, null, 10), []);
  },
);

t.test('a version that is not in Postgres is set aside, and another account has its own', async (t) => {
  const account = await accountWith([rule('Mine', { exactly: 'block' })]);
  const other = await accountWith([rule('Theirs', { exactly: 'allow' })]);
  const worker = await setting.startWorker();
  const lost = checkLog({ account_id: account, key_id: KEY });
  await setting.queue(judgedBy('7/', [lost]));
  await setting.queue(
    judgedBy('1/', [checkLog({ account_id: other, key_id: KEY, verdict: verdictOf('block') })]),
  );
  const letter = await eventually(async () =>
    (await deadLetters.list()).find(({ logIds }) => logIds.includes(lost.id)),
  );
  t.match(letter, { reason: 'version 7 of the policy is not in Postgres' });
  await eventually(async () => (await stored(other)).length === 1);
  t.match(await stored(other), [{ decision: 'allow', policy_version: 1 }]);
  t.strictSame(await stored(account), []);
  await worker.stop();
});

t.test(
  'a job judged by an engine that this worker lacks is set aside whole, and others are stored',
  async (t) => {
    const account = await accountWith([rule('All', { at_least: 'review' })]);
    const worker = await setting.startWorker();
    const log = () => checkLog({ account_id: account, key_id: KEY, verdict: verdictOf('challenge') });
    const [ruled, plain] = [log(), log()];
    await setting.queue({ ...judgedBy('1/', [ruled]), engine: 99 });
    await setting.queue({ ...jobOf([plain]), engine: 99 });
    const letter = await eventually(async () =>
      (await deadLetters.list()).find(({ logIds }) => logIds.includes(ruled.id)),
    );
    t.match(letter, {
      reason: 'engine 99 of the rules is not known to this worker: upgrade the workers, then queue it again',
      payload: { engine: 99, note: { groups: [{ outcome: 'granted', policies: '1/' }] } },
    });
    await eventually(async () => (await stored(account)).length === 1);
    t.match(await stored(account), [{ decision: 'challenge', policy_version: null }], 'no rule judged it');
    await worker.stop();
  },
);

const CHECKS = 10_000;
const POLICIES = 20;
/** Checks of a second ago and microseconds around it; rules end there too. */
const AROUND = Date.now() * 1_000 - 999_487;
const INSTANTS = [-2, -1, 0, 1, 2].map((micros) => AROUND + micros);

t.test('judging stored checks by the live version reproduces decision, score and factors', async (t) => {
  const random = seededRandom(7);
  const policies = samplePolicies(POLICIES, 32, AROUND).map(
    (rules) => readPolicy({ rules }, POLICY_LANGUAGE).rules,
  );
  const account = await accountWith(...policies);
  const answers = new Map<string, Answer>();
  const worker = await setting.startWorker();
  for (const [at, rules] of policies.entries()) {
    const checks = CHECKS / POLICIES / INSTANTS.length;
    const asked = { account, version: at + 1, policy: compilePolicy(rules), checks };
    for (const atMicros of INSTANTS) {
      const judged = randomChecks(random, { ...asked, atMicros });
      for (const [id, answer] of judged.answers) answers.set(id, answer);
      await setting.queue(judged.job);
    }
  }
  await eventually(async () => (await setting.counts(account)).rows === CHECKS, { withinMs: 240_000 });
  await worker.stop();
  const versions = await db.$queryRaw<{ id: string; version: number }[]>`
    SELECT id, policy_version AS version FROM check_logs WHERE account_id = ${account}`;
  const versionOf = new Map(versions.map(({ id, version }) => [id, version]));
  const compiled = policies.map(compilePolicy);
  const endless = policies.map((rules) => compilePolicy(rules.map(({ ends_at: _, ...rule }) => rule)));
  let wrong = 0;
  let ruled = 0;
  let ended = 0;
  for (const row of await readNewestChecks(db, account, CHECKS)) {
    const { decision, risk_score, factors } = row;
    const at = (versionOf.get(row.id) ?? 0) - 1;
    const again = judgeStored(row, compiled[at] ?? null);
    const otherwise = judgeStored(row, endless[at] ?? null);
    if (typeof otherwise !== 'string' && otherwise.risk_score !== risk_score) ended += 1;
    if (typeof again === 'string') throw new Error(`${row.id} was left out: ${again}`);
    const codes = again.factors.map(({ code, points }) => ({ code, points }));
    if (again.rule !== undefined) ruled += 1;
    const same = [answers.get(row.id), { ...again, factors: codes }].every(
      (one) =>
        one?.decision === decision &&
        one.risk_score === risk_score &&
        JSON.stringify(one.factors) === JSON.stringify(factors),
    );
    if (!same) wrong += 1;
  }
  t.equal(wrong, 0, 'each is what was answered, and what judging again says');
  t.ok(ruled > CHECKS / 20, `${ruled} were decided by a rule`);
  t.ok(ended > CHECKS / 50, `${ended} have another score because a rule had ended`);
});

t.test('a check that waits while its account is deleted is still stored as it was answered', async (t) => {
  const before = await deadLetters.count();
  const account = await accountWith([rule('All', { at_least: 'review' })]);
  await setting.queue(judgedBy('1/', [checkLog({ account_id: account, key_id: KEY })]));
  await db.account.delete({ where: { id: account } });
  const worker = await setting.startWorker();
  t.ok(await eventually(async () => (await stored(account)).length === 1));
  await worker.stop();
  t.match(await stored(account), [{ decision: 'review', policy_version: 1, policy_rule: 0 }]);
  t.equal(await deadLetters.count(), before, 'and sets nothing aside');
  t.equal(await forgetDepartedPolicies(db), 0, 'its rules stay while something may wait');
  await db.$executeRaw`
    INSERT INTO plan_changes (account_id, to_plan, effective_at, made_by, made_at)
    VALUES (${account}, 'none', now(), 'test', now() - interval '61 days')`;
  t.equal(await forgetDepartedPolicies(db), 1, 'and go later');
});
