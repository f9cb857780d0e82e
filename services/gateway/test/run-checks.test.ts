import { randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { createAdmission } from '@verdict/admission/admission.js';
import { createRedisClock } from '@verdict/admission/redis-clock.js';
import { readRecord } from '@verdict/admission/replay-record.js';
import { DICTIONARIES } from '@verdict/admission/replay-words.js';
import type { CheckResult, Expansion } from '@verdict/contracts/check-api.js';
import type { IpKind } from '@verdict/contracts/ip-network.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { createIdFactory } from '@verdict/domain/id.js';
import type { Rule } from '@verdict/domain/policy/policy.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import { createCheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { accountKey, usedField } from '@verdict/redis-store/keys.js';
import { projectAccount } from '@verdict/redis-store/project.js';
import type { Caller } from '@verdict/redis-store/step.js';
import type { Scored, ScoreEntry } from '@verdict/scoring-client/scored.js';
import type { ScoreItems } from '@verdict/scoring-client/scoring-client.js';
import t from 'tap';
import { startStages } from '../src/answers/stages.js';
import { answerText } from '../src/check/answer-text.js';
import { readCheckInput } from '../src/check/check-input.js';
import { readIdempotencyKey } from '../src/check/idempotency.js';
import { createIpNetworks } from '../src/check/ip-networks.js';
import { createPolicies } from '../src/check/policies.js';
import { runCheck } from '../src/check/run-check.js';
import type { ChecksRun } from '../src/check/run-checks.js';
import { toResult } from '../src/check/to-result.js';

const NETWORK = { kind: 'vpn' as const, country: 'NL', asn: 64500, organisation: 'Example B.V.' };
const NOWHERE = { kind: null, country: null, asn: null, organisation: null };

const server = await startRedis();
const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
const steps = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'steps');
const createId = createIdFactory(Date.now, (bytes) => randomBytes(bytes.length).copy(bytes));
const inserts = await createCheckLogInserts({ connection: redis, shards: 1, onError: () => {} });
t.teardown(async () => {
  await inserts.close();
  redis.disconnect();
  steps.disconnect();
  await server.stop();
});
const admission = createAdmission({
  store: { redis: steps, shards: 1 },
  inserts,
  clock: await createRedisClock(steps),
  createBatchId: () => createId('bat'),
  project: async () => {},
  batchMax: 128,
  waitingMax: 1_000,
});

const SCORED: Scored = {
  verdict: sampleVerdict({
    risk_score: 47,
    signals: { disposable_email: false, mx_valid: true, free_provider: true },
    extra: { ...sampleVerdict().extra, plus_tag: true, suggestion: 'jane@gmail.com' },
    factors: [
      { code: 'TYPO_DOMAIN', points: 40, reason: 'The domain looks mistyped' },
      { code: 'PLUS_TAG', points: 7, reason: 'The mailbox name carries a +tag' },
    ],
    datasets: '2026-11-01/2026-11-02/2026-11-03',
  }),
  datasets: {
    disposable_domains: { count: 150_000, version: '2026-11-01' },
    free_providers: { version: '2026-11-02' },
    role_prefixes: { version: '2026-11-03' },
  },
};
const month = new Date().toISOString().slice(0, 7);

interface Terms {
  readonly limit?: number;
  readonly blocked?: string;
}

/** A customer, and how often scoring was asked on their behalf. */
async function customer({ limit = 100, blocked }: Terms = {}) {
  const caller: Caller = { accountId: createId('acc'), keyId: createId('key'), credential: createId('ses') };
  const second: Caller = { accountId: caller.accountId, keyId: createId('key'), credential: createId('ses') };
  const project = (
    version: number,
    status: string,
    policies: { live: number | null; shadow: number | null; rules: object } = {
      live: null,
      shadow: null,
      rules: {},
    },
  ) =>
    projectAccount(
      { redis, shards: 1 },
      {
        accountId: caller.accountId,
        version,
        plan: 'free',
        limit,
        rate: 1_000,
        used: [],
        credentials: [caller, second].map(({ credential: name }) => ({ name, status })),
        policies: { ...policies, rules: { ...policies.rules } },
        listsVersion: 0,
        lists: blocked
          ? [{ value: blocked, list: 'block', kind: 'domain', match: 'exact', expires_at: null }]
          : [],
      },
    );
  await project(1, 'active');
  let version = 1;
  const nowhere = new Set<number>();
  const used = async () => Number(await redis.hget(accountKey(caller.accountId, 1), usedField(month)));
  const rulesOf = (of: number, ends: object = {}) => [
    {
      ...ends,
      name: `Version ${of}`,
      when: {
        any: [
          { field: 'ip.kind', op: 'eq', value: null },
          {
            all: [
              { field: 'ip.kind', op: 'ne', value: 'tor' },
              { field: 'ip.country', op: 'eq', value: 'NL' },
              { field: 'ip.asn', op: 'in', value: ['AS64500'] },
            ],
          },
        ],
      },
      then: { exactly: of % 2 === 0 ? 'block' : 'review' },
    },
  ];
  let projected = 0;
  const policies = createPolicies(
    { redis, shards: 1 },
    {
      projectPolicy: async (accountId, of) => {
        t.equal(accountId, caller.accountId);
        projected++;
        return nowhere.has(of) ? null : JSON.stringify(rulesOf(of));
      },
    },
  );
  let by = caller;
  let asked = 0;
  let fails = false;
  let kind: IpKind = 'vpn';
  const score = async (): Promise<Scored> => {
    asked++;
    if (fails) throw new Error('no replica');
    // As over the wire: callers must not rely on identical objects.
    return structuredClone(SCORED);
  };
  const body = { email: ' Jane+x@gmial.com ', ip: '203.0.113.7' };
  return {
    asked: () => asked,
    used,
    accountId: caller.accountId,
    keyId: caller.keyId,
    projected: () => projected,
    lose: (of: number) => {
      nowhere.add(of);
    },
    /** Makes versions hold, with their rules or without. */
    use: (live: number | null, withRules = true, ends: { ends_at?: string } = {}) => {
      version += 1;
      const rules = live !== null && withRules ? { [live]: rulesOf(live, ends) } : {};
      return project(version, 'active', { live, shadow: null, rules });
    },
    useRules: (live: number, rules: readonly Rule[]) => {
      version += 1;
      return project(version, 'active', { live, shadow: null, rules: { [live]: rules } });
    },
    /** The next checks come with the other key of the account. */
    changeKey: () => {
      by = second;
    },
    revoke: () => project(2, 'inactive'),
    changeKind: (next: IpKind) => {
      kind = next;
    },
    turnOff: () => redis.hset(accountKey(caller.accountId, 1), 'ip_intelligence', '0'),
    failScoring: (yes: boolean) => {
      fails = yes;
    },
    check: async (key?: string, expand: Expansion[] = [], ...sent: { email: string; ip?: string }[]) => {
      const bodies = sent.length > 0 ? sent : [body];
      const deps = {
        admission,
        direct: {
          score: (entry: ScoreEntry) =>
            void score().then(entry.resolve.bind(entry), entry.reject.bind(entry)),
          take: admission.push,
        },
        scoring: { score, scoreAll: ({ emails }: ScoreItems) => Promise.all(emails.map(score)) },
        ipNetworks: createIpNetworks(
          { redis, shards: 1 },
          {
            ips: async ({ ips }) => {
              if (fails) throw new Error('no replica');
              return {
                networks: ips.map((ip) => (ip.startsWith('203.') ? { ...NETWORK, kind } : NOWHERE)),
              };
            },
          },
          () => {},
        ),
        policies,
        looks: { spend() {}, noteSeen() {} },
        createLogId: () => createId('log'),
      };
      const request = {
        caller: by,
        from: () => '',
        inputs: bodies.map(readCheckInput),
        requestId: createId('req'),
        stages: startStages(1),
        expand: new Set(expand),
        once: readIdempotencyKey(key, by, [bodies, expand]),
      };
      const { checks, account, replayed } = await new Promise<ChecksRun>((resolve, reject) =>
        runCheck(deps, request, (error, run) => (run ? resolve(run) : reject(error))),
      );
      const results = checks.map(toResult);
      if (expand.length === 0) {
        const texts = results.map((result) => JSON.stringify(result));
        t.strictSame(checks.map(answerText), texts, 'the text is the JSON of the result');
      }
      return { result: results[0] as CheckResult, results, account, replayed };
    },
  };
}

t.test('expanded signals name the network of an IP, the same in a replay', async (t) => {
  const { check, changeKind, turnOff } = await customer();
  const bodies = [{ email: 'a@gmial.com' }, { email: 'b@gmial.com', ip: '198.51.100.7' }];
  const ipOf = ({ result }: { result: CheckResult }) => result.signals.ip;
  t.same(ipOf(await check(undefined, ['signals'])), NETWORK);
  t.equal(ipOf(await check()), undefined, 'nothing more without the expansion');
  t.equal(ipOf(await check(undefined, ['signals'], bodies[0] as (typeof bodies)[0])), undefined, 'no IP');
  const many = await check(undefined, ['signals'], ...bodies);
  t.strictSame(
    many.results.map(({ signals }) => signals.ip),
    [undefined, NOWHERE],
  );
  const first = await check('once', ['signals']);
  changeKind('tor');
  t.same((await check('once', ['signals'])).result, first.result);
  t.same(ipOf(await check(undefined, ['signals'])), { ...NETWORK, kind: 'tor' });
  await turnOff();
  t.equal(ipOf(await check(undefined, ['signals'])), undefined, 'the account has turned it off');
});

t.test('a check that is answered is counted and queued, with its score and its limits', async (t) => {
  const { check, used } = await customer();
  const { waiting } = await readBacklog(redis, 1);
  const { result, account } = await check();
  t.match(result, {
    success: true,
    id: /^log_/,
    email: 'Jane+x@gmial.com',
    decision: 'challenge',
    risk_score: 47,
    reasons: ['The domain looks mistyped', 'The mailbox name carries a +tag'],
  });
  t.notOk('breakdown' in result || 'plus_tag' in result.signals, 'no more than was asked for');
  t.match(account, { used: 1, limit: 100 });
  t.equal(await used(), 1);
  t.equal((await readBacklog(redis, 1)).waiting, waiting + 1);
});

t.test('a used-up month and a revoked key cost no scoring', async (t) => {
  const poor = await customer({ limit: 1 });
  await poor.check();
  await t.rejects(
    poor.check(),
    { status: 429, code: 'quota_exceeded' },
    'trusted a moment ago: scored in vain',
  );
  const asked = poor.asked();
  for (let i = 0; i < 3; i++) await t.rejects(poor.check(), { status: 429, code: 'quota_exceeded' });
  t.equal(poor.asked(), asked, 'and never again');
  const revoked = await customer();
  await revoked.revoke();
  await t.rejects(revoked.check(), { status: 403, code: 'key_inactive' });
  t.equal(revoked.asked(), 0);
});

t.test('a check that scoring fails counts nothing: nothing was begun', async (t) => {
  const { check, used, failScoring } = await customer();
  failScoring(true);
  const { waiting } = await readBacklog(redis, 1);
  await t.rejects(check(), { status: 503, code: 'unavailable' });
  await t.rejects(check('key'), { status: 503, code: 'unavailable' });
  t.equal(await used(), 0);
  t.equal((await readBacklog(redis, 1)).waiting, waiting);
  failScoring(false);
  t.notOk((await check('key')).replayed, 'and leaves nothing that a retry would find');
});

t.test('a replay is the first answer byte for byte, expansions and lists and all', async (t) => {
  const { check, used, asked } = await customer({ blocked: 'gmial.com' });
  for (const expand of [[], ['signals'], ['breakdown'], ['signals', 'breakdown']] as Expansion[][]) {
    const key = `key-${expand.join('-')}`;
    const first = await check(key, expand);
    const scored = asked();
    const again = await check(key, expand);
    t.equal(JSON.stringify(again.result), JSON.stringify(first.result), key);
    t.match(again, { replayed: true, account: { limit: 100 } });
    t.equal(asked(), scored, 'nothing is scored again');
    t.match(first.result, { decision: 'block', reasons: [/is on your block list/] });
  }
  t.equal(await used(), 4);
});

t.test('another body under the same key is a mismatch, and a revoked key gets no replay', async (t) => {
  const { check, used, revoke } = await customer();
  await check('key');
  await t.rejects(check('key', ['signals']), { status: 400, code: 'idempotency_mismatch' });
  await t.rejects(check('key', [], { email: 'b@gmail.com' }), { code: 'idempotency_mismatch' });
  await revoke();
  await t.rejects(check('key'), { status: 403, code: 'key_inactive' });
  t.equal(await used(), 1);
});

t.test('of twins at once one is counted, and all get its answer', async (t) => {
  const { check, used } = await customer();
  const runs = await Promise.all(Array.from({ length: 20 }, () => check('twins')));
  t.equal(new Set(runs.map(({ result }) => JSON.stringify(result))).size, 1);
  t.equal(runs.filter(({ replayed }) => !replayed).length, 1);
  t.equal(await used(), 1);
});

t.test('checks that come together are granted together, in their order, or not at all', async (t) => {
  const { check, used, asked } = await customer({ limit: 5, blocked: 'blocked.example' });
  const people = ['a@gmail.com', 'b@blocked.example', 'c@gmail.com'].map((email) => ({ email }));
  const first = await check('batch', ['signals', 'breakdown'], ...people);
  t.strictSame(
    first.results.map(({ email }) => email),
    people.map(({ email }) => email),
  );
  t.strictSame(
    first.results.map(({ decision }) => decision),
    ['challenge', 'block', 'challenge'],
  );
  t.equal(new Set(first.results.map(({ id }) => id)).size, 3);
  const again = await check('batch', ['signals', 'breakdown'], ...people);
  t.equal(JSON.stringify(again.results), JSON.stringify(first.results));
  const before = asked();
  await t.rejects(check(undefined, [], ...people), { status: 429, code: 'quota_exceeded' });
  t.equal(asked(), before, 'a batch is looked at before it is scored');
  t.equal(await used(), 3);
});

t.test('more checks than a second of the rate are a mistake of the request', async (t) => {
  const { check, used } = await customer({ limit: 5_000 });
  const many = Array.from({ length: 1_001 }, (_, i) => ({ email: `p${i}@gmail.com` }));
  await t.rejects(check(undefined, [], ...many), { status: 400, code: 'invalid_request' });
  t.equal(await used(), 0);
});

t.test('the live policy judges from the next check on, and a replay keeps its version', async (t) => {
  const { check, use, changeKind } = await customer();
  t.equal((await check()).result.decision, 'challenge');
  await use(1);
  const first = await check('once', ['breakdown']);
  t.match(first.result, {
    decision: 'review',
    risk_score: 55,
    breakdown: {
      factors: [{}, {}, { code: 'POLICY', points: 8, reason: "Your rule 'Version 1' asks for review" }],
    },
  });
  await use(2);
  changeKind('tor');
  t.match(
    (await check()).result,
    { decision: 'challenge', risk_score: 47 },
    'the rule excludes this network',
  );
  changeKind('vpn');
  t.match((await check()).result, { decision: 'block', risk_score: 80 });
  const again = await check('once', ['breakdown']);
  t.ok(again.replayed);
  t.equal(JSON.stringify(again.result), JSON.stringify(first.result));
  await use(null);
  t.equal((await check()).result.decision, 'challenge');
});

t.test('a replay with another key of the account is the first answer, byte for byte', async (t) => {
  const { check, useRules, changeKey, keyId, asked } = await customer();
  const when = { all: [{ field: 'key', op: 'eq', value: keyId }] };
  await useRules(1, [{ name: 'This key', when, then: { exactly: 'block' } }]);
  const first = await check('once', ['breakdown']);
  t.match(first.result, { decision: 'block', risk_score: 80 });
  changeKey();
  const before = asked();
  const again = await check('once', ['breakdown']);
  t.ok(again.replayed);
  t.equal(JSON.stringify(again.result), JSON.stringify(first.result));
  t.equal(asked(), before, 'nothing is scored for it');
  t.equal((await check()).result.decision, 'challenge', 'the rule asks about the other key');
});

t.test(
  'a gateway without the engine that judged first gives no replay instead of another answer',
  async (t) => {
    const { check, use } = await customer();
    await use(1);
    const first = await check('once');
    const keys = await redis.keys('verdict:{0}:once:*');
    const texts = await redis.mget(keys);
    const at = texts.findIndex((text) => text && readRecord(text).ids[0] === first.result.id);
    const [head = '', rest = ''] = (texts[at] ?? '').split('\n');
    const dictionary = DICTIONARIES[rest[0] ?? ''] as Buffer;
    const kept = JSON.parse(
      inflateRawSync(Buffer.from(rest.slice(1), 'base64url'), { dictionary }).toString(),
    );
    const other = deflateRawSync(JSON.stringify({ ...kept, engine: 99 }), { dictionary });
    await redis.set(keys[at] ?? '', `${head}\n${rest[0]}${other.toString('base64url')}`);
    await t.rejects(check('once'), { status: 503, code: 'unavailable' });
  },
);

t.test('a rule ends by the clock of the step, and a replay after its end is the same', async (t) => {
  const { check, use } = await customer({ limit: 1_000_000 });
  const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
  let live = -1;
  let first: CheckResult;
  let ends_at: string;
  // On a busy machine the first check may come too late: the next version has twice the time.
  for (let after = 500_000; ; after *= 2) {
    live += 2;
    ends_at = formatCreatedAt(seconds * 1_000_000 + micros + after);
    await use(live, true, { ends_at });
    first = (await check(`once-${live}`, ['breakdown'])).result;
    if (first.created_at < ends_at) break;
  }
  t.match(first, { decision: 'review', risk_score: 55 });
  let before = 1;
  for (;;) {
    const { created_at, decision } = (await check()).result;
    const isOver = created_at >= ends_at;
    if (decision !== (isOver ? 'challenge' : 'review')) t.fail(`${decision} at ${created_at} of ${ends_at}`);
    if (isOver) break;
    before += 1;
  }
  t.comment(`${before} checks before the end`);
  const again = await check(`once-${live}`, ['breakdown']);
  t.ok(again.replayed);
  t.equal(JSON.stringify(again.result), JSON.stringify(first));
});

t.test('rules about networks match only while the account looks IPs up', async (t) => {
  const { check, use, turnOff } = await customer();
  await use(2);
  t.equal((await check()).result.decision, 'block', 'its network is a VPN');
  t.equal((await check(undefined, ['signals'])).result.decision, 'block', 'also where the answer names it');
  t.equal((await check(undefined, [], { email: 'a@gmial.com' })).result.decision, 'block', 'no IP is none');
  await turnOff();
  t.equal((await check()).result.decision, 'challenge', 'a network that is not known matches nothing');
  t.equal((await check(undefined, [], { email: 'a@gmial.com' })).result.decision, 'block');
});

t.test('a version that Redis has lost is projected again; one that is nowhere counts nothing', async (t) => {
  const { check, use, used, lose, projected } = await customer();
  await use(4, false);
  t.equal((await check()).result.decision, 'block');
  t.equal((await check()).result.decision, 'block');
  t.equal(projected(), 1, 'and kept');
  lose(6);
  await use(6, false);
  await t.rejects(check(), { status: 503, code: 'unavailable' });
  t.equal(await used(), 2);
});

t.test('under load each answer is that of a live version, and its note names it', async (t) => {
  const { check, use, accountId } = await customer({ limit: 10_000 });
  const results: CheckResult[] = [];
  let flipping = true;
  const load = async () => {
    while (flipping) results.push((await check()).result);
  };
  const running = Promise.all(Array.from({ length: 20 }, load));
  for (let live = 1; live <= 50; live++) {
    await use(live);
    const answered = results.length;
    while (results.length < answered + 10) await nextTurn();
  }
  flipping = false;
  await running;
  t.ok(results.length > 50);
  const notes = new Map<string, string>();
  for (const name of await redis.keys('verdict:*:note:*')) {
    const batchId = name.slice(name.lastIndexOf(':') + 1);
    const { groups } = JSON.parse((await redis.get(name)) ?? '');
    const job = await redis.hget(inserts.jobKey(0, batchId), 'data');
    if (!job) continue;
    for (const [i, group] of JSON.parse(job).groups.entries()) {
      if (group.account_id !== accountId || groups[i].outcome !== 'granted') continue;
      for (const { id } of group.checks) notes.set(id, groups[i].policies ?? '');
    }
  }
  for (const { id, decision, reasons } of results) {
    const version = Number((notes.get(id) ?? 'x').replace('/', ''));
    t.ok(version >= 0 && version <= 50);
    const rule = version === 0 ? undefined : `Your rule 'Version ${version}' asks for ${decision}`;
    t.equal(
      reasons.find((reason) => reason.startsWith('Your rule')),
      rule,
    );
    t.equal(decision, version === 0 ? 'challenge' : version % 2 === 0 ? 'block' : 'review');
  }
});
