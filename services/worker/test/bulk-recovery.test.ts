import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { readNote } from '@verdict/admission/read-note.js';
import { StepUndone } from '@verdict/admission/take-step.js';
import type { CheckLogJob } from '@verdict/contracts/check-log-job.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { takeBulkJobs } from '@verdict/db/bulk/bulk-lease.js';
import { persistChecks } from '@verdict/db/checks/persist-checks.js';
import { addressHash } from '@verdict/domain/address/address-hash.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { monthOf } from '@verdict/domain/month.js';
import { compilePolicy } from '@verdict/domain/policy/compile-policy.js';
import type { Rule } from '@verdict/domain/policy/policy.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { eraseAddress } from '@verdict/metering/erase-address.js';
import { holdsBatch } from '@verdict/queues/backlog.js';
import { queuedBatchKeys } from '@verdict/queues/queued-batches.js';
import { readJobData } from '@verdict/queues/read-job-data.js';
import { accountKey, noteKey } from '@verdict/redis-store/keys.js';
import { projectAccount } from '@verdict/redis-store/project.js';
import t, { type Test } from 'tap';
import { openAdmission } from '../src/bulk/open-admission.js';
import { type ChunkDependencies, runChunk } from '../src/bulk/run-chunk.js';
import { loadConfig } from '../src/config.js';
import { checkLog, createId, rowsOf, verdictOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

/** Chunks that end in the middle: each address is counted once and logged once, and the job goes on by itself. */
const setting = await setUp();
const { db, redis, deadLetters } = setting;
const KEY = 'key_1';
const ADDRESSES = 20;
const privacy = { storage: 'full', hashSecret: setting.config.EMAIL_HASH_SECRET } as const;
const TOKEN = 'internal-token-of-the-test';

/** Projects an account, as the control plane does when it is asked to. */
const plane = createServer(async (request, response) => {
  const accountId = /accounts\/(\w+)\/project/.exec(request.url ?? '')?.[1] ?? '';
  if (request.headers['x-internal-token'] === TOKEN) await project(accountId);
  response.end('{}');
}).listen(0, '127.0.0.1');
await once(plane, 'listening');

const config = loadConfig({
  ...setting.settings,
  CONTROL_PLANE_INTERNAL_URL: `http://127.0.0.1:${(plane.address() as AddressInfo).port}`,
  INTERNAL_TOKEN: TOKEN,
});
const { admission, clock, close } = await openAdmission(config, () => {});
t.teardown(async () => {
  plane.close();
  await close();
  await setting.close();
});

async function project(accountId: string): Promise<void> {
  const [row] = await db.$queryRaw<{ used: number }[]>`
    SELECT coalesce(sum(checks), 0)::int AS used FROM usage_hourly WHERE account_id = ${accountId}`;
  await projectAccount(
    { redis, shards: 1 },
    {
      accountId,
      version: Date.now(),
      plan: 'free',
      limit: 1_000_000,
      rate: 1_000,
      used: [{ month: monthOf(new Date()), checks: row?.used ?? 0 }],
      credentials: [{ name: KEY, status: 'active' }],
      listsVersion: 0,
      lists: [],
    },
  );
}

async function newJob() {
  const accountId = createId('acc');
  await db.account.create({ data: { id: accountId, name: 'a', plan: 'free' } });
  await project(accountId);
  const id = createId('job');
  const emails = Array.from({ length: ADDRESSES }, (_, i) => `person-${i}-${id.toLowerCase()}@example.com`);
  const times = { expiresAt: new Date('2100-01-01') };
  const data = {
    id,
    accountId,
    keyId: KEY,
    format: 'csv',
    status: 'running',
    addresses: ADDRESSES,
    ...times,
  };
  await db.bulkJob.create({ data });
  await db.bulkAddress.createMany({
    data: emails.map((email, number) => ({ jobId: id, number, email, hash: addressHash(email) })),
  });
  return { id, accountId, emails };
}

type Job = Awaited<ReturnType<typeof newJob>>;

const deps = (own: Partial<ChunkDependencies> = {}): ChunkDependencies => ({
  db,
  deadLetters,
  admission,
  clock,
  isQueued: (_account, batchId) => holdsBatch(redis, 0, batchId),
  score: async (emails) => emails.map(() => verdictOf()),
  policyRules: async () => null,
  onDone: () => {},
  ...own,
});

async function step({ id }: Job, own: Partial<ChunkDependencies> = {}): Promise<void> {
  await db.bulkJob.update({ where: { id }, data: { leasedUntil: new Date(0) } });
  const [job] = await takeBulkJobs(db, 1);
  if (job?.id !== id) throw new Error('the job does not run');
  await runChunk(deps(own), job);
}

/** The step is taken, and its reply is lost. */
const lossy = {
  ...admission,
  async take(submission: Parameters<typeof admission.take>[0]) {
    await admission.take(submission);
    throw new Error('no reply');
  },
};

/** As workers go on: what fails is tried again. */
const finish = (job: Job) =>
  eventually(
    async () => {
      await step(job).catch(() => pause(100));
      const { done } = await db.bulkJob.findUniqueOrThrow({ where: { id: job.id } });
      return done === ADDRESSES;
    },
    { everyMs: 50 },
  );

/** The same to the end of the last phase. */
const complete = (job: Job, score: ChunkDependencies['score']) =>
  eventually(
    async () => {
      await step(job, { score }).catch(() => pause(100));
      return (await db.bulkJob.findUniqueOrThrow({ where: { id: job.id } })).status === 'completed';
    },
    { everyMs: 10 },
  );

async function counted({ accountId }: Job): Promise<number> {
  return Number(await redis.hget(accountKey(accountId, 1), `u:${monthOf(new Date())}`));
}

async function assertOnce(t: Test, job: Job, checks = ADDRESSES): Promise<void> {
  await eventually(async () => (await setting.counts(job.accountId)).rows >= checks);
  t.match(await setting.counts(job.accountId), { rows: checks, counted: checks }, 'one row for each address');
  t.equal(await counted(job), checks, 'and so says the counter');
  const logs = await db.checkLog.findMany({ where: { accountId: job.accountId } });
  const logged = new Set(logs.map(({ id }) => id));
  const shown = await db.bulkAddress.findMany({
    where: { jobId: job.id, email: { not: null }, logId: { not: null } },
  });
  t.same(
    shown.filter(({ logId }) => !logged.has(logId ?? '')),
    [],
    'the results name the rows',
  );
}

/** Nothing of this job is noted as done, as if every worker died just before. */
async function withoutEnd(job: Job, run: () => Promise<void>): Promise<void> {
  await db.$executeRawUnsafe(`
    CREATE FUNCTION die() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'died'; END $$`);
  await db.$executeRawUnsafe(`
    CREATE TRIGGER die BEFORE UPDATE OF done ON bulk_jobs FOR EACH ROW
    WHEN (NEW.done > OLD.done AND NEW.id = '${job.id}') EXECUTE FUNCTION die()`);
  await run();
  await db.$executeRawUnsafe('DROP FUNCTION die CASCADE');
}

t.test('a worker that dies after the step leaves a chunk that is found in Postgres', async (t) => {
  const job = await newJob();
  const worker = await setting.startWorker();
  await withoutEnd(job, async () => {
    await t.rejects(step(job), /died/);
    await eventually(async () => (await setting.counts(job.accountId)).rows === ADDRESSES);
    await t.rejects(step(job), /died/, 'again and again');
  });
  await finish(job);
  await assertOnce(t, job);
  await worker.stop();
});

t.test('a step whose reply was lost is not taken a second time', async (t) => {
  const job = await newJob();
  await t.rejects(step(job, { admission: lossy }), /no reply/);
  t.equal(await counted(job), ADDRESSES);
  await t.rejects(step(job), { name: 'ChunkOnItsWay' }, 'until its rows are there');
  const worker = await setting.startWorker();
  await finish(job);
  await assertOnce(t, job);
  await worker.stop();
});

t.test('a chunk whose rows are partly stored is not finished without the rest', async (t) => {
  const job = await newJob();
  const lossy = {
    ...admission,
    async take(submission: Parameters<typeof admission.take>[0]) {
      await admission.take(submission);
      throw new Error('no reply');
    },
  };
  await t.rejects(step(job, { admission: lossy }), /no reply/);
  const [waiting = ''] = queuedBatchKeys(0);
  const queued = (await readJobData(redis, 0, await redis.lrange(waiting, 0, -1))) as CheckLogJob[];
  const ids = queued.flatMap(({ groups }) =>
    groups.flatMap((group) => (group.account_id === job.accountId ? group.checks.map(({ id }) => id) : [])),
  );
  t.equal(ids.length, ADDRESSES);
  const [id = ''] = ids;
  await persistChecks(db, rowsOf([checkLog({ account_id: job.accountId, key_id: KEY, id })], privacy));
  await t.rejects(step(job), { name: 'ChunkOnItsWay' }, 'one is stored, the others are queued');
  t.match(await db.bulkJob.findUnique({ where: { id: job.id } }), { done: 0 });
  const worker = await setting.startWorker();
  await finish(job);
  await assertOnce(t, job);
  await worker.stop();
});

t.test('a chunk whose checks were set aside is judged by the engine that their job names', async (t) => {
  const job = await newJob();
  await db.bulkJob.update({ where: { id: job.id }, data: { policyVersion: 1 } });
  const all: Rule = {
    name: 'All',
    when: { all: [{ field: 'score', op: 'gte', value: 0 }] },
    then: { at_least: 'review' },
  };
  const policy = compilePolicy([all]);
  const ruled = { policyRules: async () => policy };
  await t.rejects(step(job, { ...ruled, admission: lossy }), /no reply/);
  const [waiting = ''] = queuedBatchKeys(0);
  const ids = await redis.lrange(waiting, 0, -1);
  const queued = (await readJobData(redis, 0, ids)) as CheckLogJob[];
  const at = queued.findIndex(({ groups }) => groups.some(({ account_id }) => account_id === job.accountId));
  const note = readNote((await redis.get(noteKey(0, ids[at] ?? ''))) ?? '');
  const letterOf = (engine?: number) => {
    const payload = { ...queued[at], ...(engine && { engine }), note };
    const logIds = payload.groups?.flatMap(({ checks }) => checks.map(({ id }) => id)) ?? [];
    return { id: createId('bat'), reason: 'a test', logIds, queuedAtMs: Date.now(), shard: 0, payload };
  };
  // As if a worker had taken it from the queue and set it aside.
  const setAside = { ...ruled, isQueued: async () => false };
  const unknown = letterOf(99);
  await deadLetters.add(unknown);
  await t.rejects(step(job, setAside), { name: 'ChunkOnItsWay' }, 'an engine that this worker lacks');
  t.match(await db.bulkJob.findUnique({ where: { id: job.id } }), { done: 0 }, 'nothing is guessed');
  await deadLetters.remove(unknown.id);
  const known = letterOf();
  await deadLetters.add(known);
  await step(job, setAside);
  const rows = await db.bulkAddress.findMany({ where: { jobId: job.id } });
  t.strictSame(
    [...new Set(rows.map(({ decision, riskScore }) => `${decision} ${riskScore}`))],
    ['review 55'],
  );
  await deadLetters.remove(known.id);
  await redis.lrem(waiting, 0, ids[at] ?? '');
});

t.test('a chunk whose step met no account is taken when the account is back', async (t) => {
  const job = await newJob();
  const worker = await setting.startWorker();
  let lost = 0;
  const score = async (emails: readonly string[]) => {
    if (lost++ === 0) await redis.del(accountKey(job.accountId, 1));
    return emails.map(() => verdictOf());
  };
  await step(job, { score });
  t.equal(lost, 1);
  t.match(await db.bulkJob.findUnique({ where: { id: job.id } }), { done: ADDRESSES });
  await assertOnce(t, job);
  await worker.stop();
});

t.test('a chunk of another worker that is late is looked for again, not cut anew', async (t) => {
  const job = await newJob();
  const stale = {
    ...admission,
    take: (submission: Parameters<typeof admission.take>[0]) =>
      admission.take({ ...submission, bornMicros: (submission.bornMicros ?? 0) - 60_000_000 }),
  };
  await step(job, { admission: stale });
  t.match(await db.bulkJob.findUnique({ where: { id: job.id } }), { chunkTo: null }, 'its own is dropped');
  await t.rejects(
    step(job, { admission: { ...admission, take: () => Promise.reject(new Error('no reply')) } }),
    /no reply/,
  );
  await t.rejects(step(job, { admission: stale }), { message: 'stale' });
  t.not((await db.bulkJob.findUniqueOrThrow({ where: { id: job.id } })).chunkTo, null, 'the other is kept');
  const worker = await setting.startWorker();
  await finish(job);
  await assertOnce(t, job);
  await worker.stop();
});

const withSignals = (signals: Partial<Verdict['signals']>, verdict = verdictOf()): Verdict => ({
  ...verdict,
  signals: { ...verdict.signals, ...signals },
});
const UNKNOWN: Verdict = {
  ...withSignals({ mx_valid: false }),
  extra: { ...verdictOf().extra, mx_unknown: true },
  factors: [{ code: 'DNS_INDETERMINATE', points: 5, reason: 'A reason' }],
};
const ANSWERED = withSignals({ mx_valid: true });
const DENIED = withSignals({ mx_valid: false }, verdictOf('block'));
/** Its mail servers are known without DNS. */
const PROVIDER = withSignals({ mx_valid: true, free_provider: true });

/** Scores a job whose first addresses DNS leaves unknown until it answers; notes how many it was asked about. */
function reluctantDns({ unknown, known = ANSWERED }: { unknown: number; known?: Verdict }) {
  const asked: number[] = [];
  const dns = { hasAnswer: false };
  const score = async (emails: readonly string[]) => {
    asked.push(emails.length);
    return emails.map((email) => {
      const isSlow = Number(/^person-(\d+)-/.exec(email)?.[1]) < unknown;
      if (!isSlow) return known;
      return dns.hasAnswer ? DENIED : UNKNOWN;
    });
  };
  return { asked, dns, score };
}

async function assertAgreement(t: Test, job: Job): Promise<void> {
  const logs = await db.checkLog.findMany({ where: { accountId: job.accountId } });
  const rows = await db.bulkAddress.findMany({ where: { jobId: job.id, email: { not: null } } });
  const byId = <T extends { id: string | null }>(some: T[]) =>
    some.sort((a, b) => String(a.id).localeCompare(String(b.id)));
  t.strictSame(
    byId(rows.map(({ logId, decision, riskScore }) => ({ id: logId, decision, riskScore }))),
    byId(logs.map(({ id, decision, riskScore }) => ({ id, decision, riskScore }))),
    'file and log agree on every address',
  );
}

const stateOf = ({ id }: Job) => db.bulkJob.findUniqueOrThrow({ where: { id } });

t.test('an address that DNS leaves unknown is counted once, when it is answered', async (t) => {
  const job = await newJob();
  const worker = await setting.startWorker();
  const { asked, dns, score } = reluctantDns({ unknown: 3 });
  await step(job, { score });
  t.match(await stateOf(job), { done: ADDRESSES, unknown: 3, chunkTo: null });
  t.equal(await counted(job), ADDRESSES - 3, 'those that wait are not counted');
  await step(job, { score });
  t.match(await stateOf(job), { unknown: 3, againAfter: 2 });
  dns.hasAnswer = true;
  await complete(job, score);
  t.match(await stateOf(job), { unknown: 0, blocked: 3 });
  t.same(asked, [ADDRESSES, 3, 3]);
  await assertOnce(t, job);
  await assertAgreement(t, job);
  await worker.stop();
});

t.test(
  'an address that stays unknown is counted after three rounds, and where DNS never answered without',
  async (t) => {
    const worker = await setting.startWorker();
    for (const [unknown, known, rounds] of [
      [6, ANSWERED, [6, 6, 6, 6]],
      [ADDRESSES, ANSWERED, [ADDRESSES, ADDRESSES]],
      [6, PROVIDER, [6, 6]],
    ] as const) {
      const job = await newJob();
      const { asked, score } = reluctantDns({ unknown, known });
      await complete(job, score);
      t.same(asked, [ADDRESSES, ...rounds]);
      t.match(await stateOf(job), { status: 'completed', unknown });
      await assertOnce(t, job);
      await assertAgreement(t, job);
    }
    await worker.stop();
  },
);

t.test(
  'a chunk of the last phase that was lost is found, and one that was never granted waits again',
  async (t) => {
    const job = await newJob();
    const { dns, score } = reluctantDns({ unknown: 4 });
    const first = await setting.startWorker();
    await step(job, { score });
    await assertOnce(t, job, ADDRESSES - 4);
    await first.stop();
    dns.hasAnswer = true;
    const before = await stateOf(job);
    const undone = {
      ...admission,
      take: async () => {
        throw new StepUndone('no account');
      },
    };
    await step(job, { score, admission: undone });
    t.match(await stateOf(job), { unknown: 4, chunkTo: null, againAfter: before.againAfter }, 'dropped');
    const lossy = {
      ...admission,
      async take(submission: Parameters<typeof admission.take>[0]) {
        await admission.take(submission);
        throw new Error('no reply');
      },
    };
    await t.rejects(step(job, { score, admission: lossy }), /no reply/);
    await t.rejects(step(job, { score }), { name: 'ChunkOnItsWay' });
    const worker = await setting.startWorker();
    await complete(job, score);
    await assertOnce(t, job);
    await assertAgreement(t, job);
    await worker.stop();
  },
);

t.test('an address that is erased while it waits is never counted', async (t) => {
  const job = await newJob();
  const worker = await setting.startWorker();
  const { dns, score } = reluctantDns({ unknown: 2 });
  await step(job, { score });
  const { EMAIL_HASH_SECRET: hashSecret } = setting.config;
  const erasure = { id: createId('era'), email: job.emails[0] ?? '', hashSecret, drainMs: 60_000 };
  t.match(await eraseAddress(setting, erasure), { checks: 0, bulkRows: 0 });
  dns.hasAnswer = true;
  await complete(job, score);
  await assertOnce(t, job, ADDRESSES - 1);
  await worker.stop();
});

t.test('discarding a dead letter lets its job finish without that address', async (t) => {
  const job = await newJob();
  const [poison = ''] = job.emails;
  await db.$executeRawUnsafe(`
    CREATE FUNCTION refuse() RETURNS TRIGGER LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '23514'; END $$`);
  await db.$executeRawUnsafe(`
    CREATE TRIGGER refuse BEFORE INSERT ON check_subjects FOR EACH ROW
    WHEN (NEW.email = '${poison}') EXECUTE FUNCTION refuse()`);
  const worker = await setting.startWorker();
  await withoutEnd(job, async () => {
    await t.rejects(step(job), /died/);
    await eventually(async () => (await deadLetters.count()) === 1);
    const [letter] = await deadLetters.list();
    await deadLetters.remove(letter?.id ?? '');
  });
  await finish(job);
  t.match(await setting.counts(job.accountId), { rows: ADDRESSES - 1 });
  t.match(
    await db.bulkAddress.findMany({ where: { jobId: job.id, decision: null } }),
    [{ email: poison }],
    'which has no verdict',
  );
  await worker.stop();
});

t.test('an erasure receipt is true while a job runs', async (t) => {
  const { EMAIL_HASH_SECRET: hashSecret } = setting.config;
  const erase = (email: string) =>
    eraseAddress(setting, { id: createId('era'), email, hashSecret, drainMs: 60_000 });
  const logged = (email: string) =>
    db.checkSubject.count({ where: { emailHash: hashEmail(hashSecret, email) } });
  const worker = await setting.startWorker();

  const scoring = await newJob();
  const [first = ''] = scoring.emails;
  let receipt: unknown;
  await step(scoring, {
    async score(emails) {
      receipt = await erase(first);
      return emails.map(() => verdictOf());
    },
  });
  t.match(receipt, { checks: 0 });
  await assertOnce(t, scoring, ADDRESSES - 1);
  t.equal(await logged(first), 0, 'erased while it was scored: never logged');

  const begun = await newJob();
  const [second = ''] = begun.emails;
  let erasing: ReturnType<typeof erase> | undefined;
  await step(begun, {
    admission: {
      ...admission,
      async take(submission) {
        erasing = erase(second);
        // Long enough for an erasure that does not wait to be over.
        await pause(1_000);
        return admission.take(submission);
      },
    },
  });
  t.match(await erasing, { checks: 1 }, 'erased after it was begun: waited for');
  await assertOnce(t, begun);
  t.equal(await logged(second), 0);
  await worker.stop();
});
