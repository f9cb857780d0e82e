import { randomBytes } from 'node:crypto';
import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import type { ListedValue } from '@verdict/domain/account-list.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { createCheckLogInserts } from '@verdict/queues/check-log-inserts.js';
import { queuedBatchKeys } from '@verdict/queues/queued-batches.js';
import { connectForRequests } from '@verdict/redis-store/connect.js';
import { accountKey, noteKey } from '@verdict/redis-store/keys.js';
import { letNotesExpire, takeNotes } from '@verdict/redis-store/notes.js';
import { readPoliciesText } from '@verdict/redis-store/policies-text.js';
import { type NextPlan, projectAccount } from '@verdict/redis-store/project.js';
import { createReplicaWait } from '@verdict/redis-store/replica-wait.js';
import { type Caller, type StepGroup, stepArguments, stepWithInsert } from '@verdict/redis-store/step.js';
import type { Redis } from 'ioredis';
import { createAdmission } from '../../src/admission.js';
import { createFingerprints, createIpFingerprint } from '../../src/create-fingerprints.js';
import { createPreview } from '../../src/create-preview.js';
import { grantedChecks } from '../../src/granted-checks.js';
import { packBatch } from '../../src/pack-batch.js';
import { readNote } from '../../src/read-note.js';
import { createRedisClock } from '../../src/redis-clock.js';
import type { Candidate, Submission } from '../../src/submission.js';

export const VERDICT: Verdict = sampleVerdict({
  risk_score: 10,
  signals: { disposable_email: false, mx_valid: true, free_provider: true },
  factors: [{ code: 'FREE_PROVIDER', points: 10, reason: 'The address uses a free consumer email provider' }],
});

interface Terms {
  readonly limit?: number;
  readonly rate?: number;
  readonly used?: number;
  readonly status?: string;
  /** Other credentials of the account. */
  readonly others?: readonly string[];
  readonly lists?: Readonly<Record<string, string>>;
  readonly entries?: readonly ListedValue[];
  /** A pending downgrade. */
  readonly next?: NextPlan;
  /** Verdicts of test keys, a day. */
  readonly unmetered?: number;
  /** Things a week whose repetitions are counted. */
  readonly tracked?: number;
  /** Versions of the policy in use, "<live>/<shadow>". */
  readonly policies?: string;
  /** IP of the customer's proxy. */
  readonly ownProxy?: string;
}

const thisMonth = new Date().toISOString().slice(0, 7);

/** A Redis of this test's own, the step on it, and eyes for what it leaves there. */
const SECRET = 'a secret that gateways share';

export async function setUp(wait?: { readonly replicas: number; readonly timeoutMs: number }) {
  const server = await startRedis();
  const redis = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'test') as Redis;
  const steps = connectForRequests({ url: server.url, timeoutMs: 20_000 }, 'steps') as Redis;
  await redis.connect();
  await steps.connect();
  const store = { redis, shards: 1 };
  const createId = createIdFactory(Date.now, (bytes) => randomBytes(bytes.length).copy(bytes));
  const inserts = await createCheckLogInserts({ connection: redis, shards: 1, onError: () => {} });
  const clock = await createRedisClock(steps);
  const projected: string[] = [];
  const fingerprint = createFingerprints(SECRET);
  const ipFingerprint = createIpFingerprint(SECRET);
  const gateway = (isCounting = true) =>
    createAdmission({
      store: { redis: steps, shards: 1 },
      inserts,
      clock,
      createBatchId: () => createId('bat'),
      confirm: wait && createReplicaWait(steps, wait),
      project: async (accountId) => void projected.push(accountId),
      fingerprint: isCounting ? fingerprint : undefined,
      batchMax: 128,
      waitingMax: 10_000,
    });
  const admission = gateway();
  const preview = createPreview({ store, project: async () => {}, fingerprint });
  const keyOf = ({ accountId }: Caller) => accountKey(accountId, 1);

  const check = (fields: Partial<Candidate> = {}): Candidate => ({
    id: createId('log'),
    email: 'a@b.example',
    canonical: 'a@b.example',
    ip: null,
    normalIp: '',
    verdict: VERDICT,
    ...fields,
  });
  const submission = (caller: Caller, checks: readonly Candidate[] = [check()]): Submission => ({
    caller,
    requestId: createId('req'),
    checks,
  });

  const batchIds = async (): Promise<string[]> => {
    const [wait = '', active = ''] = queuedBatchKeys(0);
    return [...(await redis.lrange(wait, 0, -1)), ...(await redis.lrange(active, 0, -1))];
  };
  /** Takes a job away, as its worker does. */
  const complete = async (batchId: string): Promise<void> => {
    const [wait = ''] = queuedBatchKeys(0);
    await redis.multi().lrem(wait, 0, batchId).del(inserts.jobKey(0, batchId)).exec();
  };
  const dataOf = async (batchId: string): Promise<CheckLogJob> =>
    JSON.parse((await redis.hget(inserts.jobKey(0, batchId), 'data')) ?? '{"groups":[]}');

  return {
    server,
    redis,
    store,
    admission,
    preview,
    complete,
    /** Another one over the same Redis. */
    gateway,
    inserts,
    clock,
    projected,
    check,
    submission,
    fresh: createId as (prefix: 'acc' | 'key' | 'bat' | 'log') => string,
    async account(terms: Terms = {}): Promise<Caller> {
      const { limit = 1_000, rate = 100_000, used = 0, status = 'active', others = [], lists = {} } = terms;
      const { next = null, tracked = 0 } = terms;
      const caller = { accountId: createId('acc'), keyId: createId('key'), credential: createId('ses') };
      await projectAccount(store, {
        accountId: caller.accountId,
        version: 1,
        plan: 'free',
        limit,
        rate,
        next,
        tracked,
        ...(terms.unmetered !== undefined && { unmetered: terms.unmetered }),
        ...(terms.policies && { policies: { ...readPoliciesText(terms.policies), rules: {} } }),
        ownProxy: terms.ownProxy === undefined ? null : ipFingerprint(caller.accountId, terms.ownProxy),
        used: [{ month: thisMonth, checks: used }],
        credentials: [caller.credential, ...others].map((name) => ({ name, status })),
        listsVersion: 0,
        lists: Object.entries(lists)
          .map(([value, entry]): ListedValue => {
            const [list, kind] = entry.split(':') as ['allow' | 'block', 'address' | 'domain' | 'ip'];
            return { value, list, kind, match: 'exact' as const, expires_at: null };
          })
          .concat(terms.entries ?? []),
      });
      return caller;
    },
    counted: async (caller: Caller) => Number(await redis.hget(keyOf(caller), `u:${thisMonth}`)),
    /** Log ids of the account that wait and count. */
    async queued(caller: Caller): Promise<string[]> {
      const found: string[] = [];
      for (const batchId of await batchIds()) {
        const text = await redis.get(noteKey(0, batchId));
        if (!text) continue;
        for (const { group, check: one } of grantedChecks(await dataOf(batchId), readNote(text))) {
          if (group.account_id === caller.accountId) found.push(one.id);
        }
      }
      return found;
    },
    /** The JSON of each script that steps, looks and previews have run since. */
    watchScripts(): string[] {
      const requests: string[] = [];
      const send = steps.sendCommand.bind(steps);
      steps.sendCommand = (command, ...rest) => {
        const request = command.args.find((arg) => String(arg).startsWith('{'));
        if (request !== undefined) requests.push(String(request));
        return send(command, ...rest);
      };
      return requests;
    },
    breakConnection: () => steps.stream.destroy(),
    /** Commands arrive, but their replies do not until the connection breaks. */
    loseReplies: () => steps.stream.pause(),
    /** The step of one check, with another script in place of the one that inserts its job. */
    stepWith(
      caller: Caller,
      batchId: string,
      insertLua = inserts.script,
      group: Partial<StepGroup> = {},
    ): Promise<unknown> {
      const one = submission(caller);
      const jobKey = inserts.jobKey(0, batchId);
      const data = packBatch([one]);
      const { keys, args } = stepArguments(1, {
        shard: 0,
        batchId,
        jobKey,
        bornMicros: clock.now(),
        groups: [{ caller, count: 1, once: null, ...group }],
        insert: inserts.prepare({ shard: 0, batchId, data, queuedAtMs: 0, traces: undefined }),
      });
      return steps.eval(stepWithInsert(insertLua).source, keys.length, ...keys, ...args);
    },
    /** The order of a worker: persist, let the notes expire, complete the jobs. */
    async persistSome(persisted: Set<string>): Promise<void> {
      const [wait = ''] = queuedBatchKeys(0);
      const ids = (await redis.lrange(wait, 0, -1)).slice(0, 3);
      const notes = await takeNotes(redis, 0, ids);
      for (const [i, batchId] of ids.entries()) {
        for (const one of grantedChecks(await dataOf(batchId), readNote(notes[i] ?? ''))) {
          persisted.add(one.check.id);
          await redis.sadd(`test:rows:${one.group.account_id}`, one.check.id);
        }
      }
      await letNotesExpire(redis, 0, ids);
      for (const batchId of ids) await complete(batchId);
    },
    /** Counter against rows and queue, all of one instant. */
    async instant(caller: Caller): Promise<{ counted: number; queued: number }> {
      const [wait = ''] = queuedBatchKeys(0);
      const keys = [keyOf(caller), wait, `test:rows:${caller.accountId}`];
      const [count, all] = (await redis.eval(
        INSTANT,
        3,
        ...keys,
        `u:${thisMonth}`,
        inserts.jobKey(0, ''),
        noteKey(0, ''),
        caller.accountId,
      )) as [string, number];
      return { counted: Number(count), queued: all };
    },
    async close() {
      await inserts.close();
      redis.disconnect();
      steps.disconnect();
      await server.stop();
    },
  };
}

/** Rows, and checks of queued batches that have none. */
const INSTANT = `
local all = redis.call('SCARD', KEYS[3])
for _, id in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
  local job = cjson.decode(redis.call('HGET', ARGV[2] .. id, 'data'))
  local text = redis.call('GET', ARGV[3] .. id)
  local note = text and cjson.decode(text)
  for position, group in ipairs(job.groups) do
    if note and note.groups[position] and note.groups[position].outcome == 'granted' and group.account_id == ARGV[4] then
      for _, check in ipairs(group.checks) do
        if redis.call('SISMEMBER', KEYS[3], check.id) == 0 then all = all + 1 end
      end
    end
  end
end
return { redis.call('HGET', KEYS[1], ARGV[1]), all }`;
