import { randomBytes } from 'node:crypto';
import { createAdmission } from '@verdict/admission/admission.js';
import { createFingerprints } from '@verdict/admission/create-fingerprints.js';
import { createRedisClock } from '@verdict/admission/redis-clock.js';
import type { Expansion } from '@verdict/contracts/check-api.js';
import { ipDigits, parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { createCheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { queuedBatchKeys } from '@verdict/queues/queued-batches.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { credentialStatus } from '@verdict/redis-store/credential-status.js';
import { projectAccount } from '@verdict/redis-store/project.js';
import type { Caller } from '@verdict/redis-store/step.js';
import type { ScoreEntry } from '@verdict/scoring-client/scored.js';
import type { ScoreItems } from '@verdict/scoring-client/scoring-client.js';
import t from 'tap';
import { startStages } from '../src/answers/stages.js';
import { readCheckInput } from '../src/check/check-input.js';
import { createPolicies } from '../src/check/policies.js';
import { runCheck } from '../src/check/run-check.js';
import type { ChecksRun } from '../src/check/run-checks.js';
import type { AnsweredCheck } from '../src/check/to-answered.js';
import { toResult } from '../src/check/to-result.js';

const server = await startRedis();
const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test');
const createId = createIdFactory(Date.now, (bytes) => randomBytes(bytes.length).copy(bytes));
const inserts = await createCheckLogInserts({ connection: redis, shards: 1, onError: () => {} });
const clock = await createRedisClock(redis);
t.teardown(async () => {
  await inserts.close();
  redis.disconnect();
  await server.stop();
});
const store = { redis, shards: 1 };
const HOME = '198.51.100.7';

/** An account with lists, bursts, a live policy and a key bound to networks: everything that a step may need. */
async function customer() {
  const caller: Caller = { accountId: createId('acc'), keyId: createId('key'), credential: createId('ses') };
  const network = parseIpNetwork('198.51.100.0/24');
  if (!network.ok) throw new Error(network.message);
  const from = [[network.network.first, network.network.last] as const];
  const use = (version: number, then: 'block' | 'review' | 'allow') =>
    projectAccount(store, {
      accountId: caller.accountId,
      version,
      plan: 'free',
      limit: 1_000,
      rate: 1_000,
      tracked: 1_000,
      used: [],
      credentials: [{ name: caller.credential, status: credentialStatus(true, { from }) }],
      policies: { live: version, shadow: null, rules: { [version]: ruleOf(then) } },
      listsVersion: 0,
      lists: [{ value: 'listed.example', list: 'block', kind: 'domain', match: 'exact', expires_at: null }],
    });
  return { caller, use };
}

const ruleOf = (then: 'block' | 'review' | 'allow') => [
  { name: 'All', when: { all: [{ field: 'score', op: 'gte', value: 0 }] }, then: { exactly: then } },
];

/** A gateway that knows nothing yet. */
function freshGateway() {
  const admission = createAdmission({
    store,
    inserts,
    clock,
    createBatchId: () => createId('bat'),
    project: async () => {},
    fingerprint: createFingerprints('a secret that gateways share'),
    batchMax: 128,
    waitingMax: 1_000,
  });
  const policies = createPolicies(store, { projectPolicy: async () => null });
  const score = async () => ({ verdict: sampleVerdict({ risk_score: 10 }), datasets: DATASETS });
  return async (caller: Caller, email = 'a@b.example', from = HOME) => {
    const deps = {
      direct: {
        score: (entry: ScoreEntry) => void score().then(entry.resolve.bind(entry)),
        take: admission.push,
      },
      admission,
      policies,
      scoring: { score, scoreAll: ({ emails }: ScoreItems) => Promise.all(emails.map(score)) },
      ipNetworks: async () => undefined,
      looks: { spend() {}, noteSeen() {} },
      createLogId: () => createId('log'),
    };
    const request = {
      caller,
      from: () => ipDigits(from),
      inputs: [readCheckInput({ email })],
      requestId: createId('req'),
      stages: startStages(1),
      expand: new Set<Expansion>(),
      once: null,
    };
    const { checks } = await new Promise<ChecksRun>((resolve, reject) =>
      runCheck(deps, request, (error, run) => (run ? resolve(run) : reject(error))),
    );
    return toResult(checks[0] as AnsweredCheck);
  };
}

const DATASETS = {
  disposable_domains: { count: 1, version: '2026-11-01' },
  free_providers: { version: '2026-11-01' },
  role_prefixes: { version: '2026-11-01' },
};

/** Scripts that Redis has run. */
async function scripts(): Promise<number> {
  const stats = await redis.info('commandstats');
  return [...stats.matchAll(/cmdstat_(?:eval|evalsha):calls=(\d+)/g)].reduce(
    (sum, [, calls]) => sum + Number(calls),
    0,
  );
}

const jobs = () => redis.llen(queuedBatchKeys(0)[0] ?? '');

t.test('the first check of a gateway takes two scripts and one job, every later one a script', async (t) => {
  const { caller, use } = await customer();
  await use(1, 'review');
  // Redis knows the scripts from an earlier gateway.
  await freshGateway()(caller);
  const check = freshGateway();
  const counted = async (work: () => Promise<unknown>) => {
    const before = [await scripts(), await jobs()] as const;
    await work();
    return [(await scripts()) - before[0], (await jobs()) - before[1]];
  };
  t.strictSame(await counted(async () => t.match(await check(caller), { decision: 'review' })), [2, 1]);
  t.strictSame(await counted(async () => t.match(await check(caller), { decision: 'review' })), [1, 1]);
  t.match(await check(caller, 'a@listed.example'), { decision: 'block', risk_score: 100 });

  await use(2, 'block');
  t.strictSame(
    await counted(async () => t.match(await check(caller), { decision: 'block', risk_score: 80 })),
    [2, 1],
    'another policy is asked for once, and its first attempt leaves no job',
  );
  t.strictSame(await counted(() => check(caller)), [1, 1]);
  t.strictSame(
    await counted(() =>
      t.rejects(check(caller, 'a@b.example', '203.0.113.9'), { status: 403, code: 'address_not_allowed' }),
    ),
    [1, 0],
    'a thief costs a look',
  );
  t.strictSame(await counted(() => check(caller)), [1, 1], 'and the owner no more than before');
});

t.test('two accounts with the same version number are judged by their own rules', async (t) => {
  const check = freshGateway();
  const [one, other] = [await customer(), await customer()];
  await one.use(1, 'block');
  await other.use(1, 'allow');
  for (let round = 0; round < 3; round++) {
    t.match(await check(one.caller), { decision: 'block' });
    t.match(await check(other.caller), { decision: 'allow' });
  }
});

t.test('two accounts with other needs in turn take a script for every later check', async (t) => {
  const check = freshGateway();
  const [one, other] = [await customer(), await customer()];
  await one.use(1, 'block');
  await other.use(2, 'allow');
  for (const { caller } of [one, other]) await check(caller);
  const before = await scripts();
  for (const { caller } of [one, other, one, other]) await check(caller);
  t.equal((await scripts()) - before, 4);
});
