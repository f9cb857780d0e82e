import type { Admission } from '@verdict/admission/admission.js';
import { judgeNew } from '@verdict/admission/engine.js';
import type { RedisClock } from '@verdict/admission/redis-clock.js';
import type { AccountView } from '@verdict/admission/submission.js';
import { StepUndone } from '@verdict/admission/take-step.js';
import { ASKING_ROUNDS_MAX } from '@verdict/contracts/jobs-api.js';
import type { ListMatch } from '@verdict/contracts/step-note.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { beginChunk, dropChunk, endRound, erasedOfChunk } from '@verdict/db/bulk/bulk-chunks.js';
import { pauseBulkJob, type RunningBulkJob } from '@verdict/db/bulk/bulk-lease.js';
import { finishChunk } from '@verdict/db/bulk/store-verdicts.js';
import type { Database } from '@verdict/db/database/client.js';
import type { AfterMs } from '@verdict/db/work/run-work.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { derivedLogId } from '@verdict/domain/derived-log-id.js';
import type { DeadLetters } from '@verdict/queues/dead-letters.js';
import { policiesText } from '@verdict/redis-store/policies-text.js';
import type { PolicyRules } from '../policies/policy-rules.js';
import { type Candidate, ChunkOnItsWay, findGranted } from './find-granted.js';
import { begunAddresses, nextAddresses } from './next-addresses.js';
import { chunkSize, pauseAfterMs } from './pace.js';
import { rulesOfJob } from './rules-of-job.js';
import { toBulkVerdict } from './to-bulk-verdict.js';

export interface ChunkDependencies {
  readonly db: Database;
  readonly deadLetters: DeadLetters;
  readonly admission: Pick<Admission, 'look' | 'take'>;
  readonly clock: RedisClock;
  /** Whether the logs of a batch of this account are still queued. */
  readonly isQueued: (accountId: string, batchId: string) => Promise<boolean>;
  /** Patient with DNS. */
  readonly score: (emails: readonly string[], accountId: string) => Promise<Verdict[]>;
  readonly policyRules: PolicyRules;
  readonly onDone: (addresses: number) => void;
}

/** A refusal for the rate is over within a second; the others of the key want something too. */
const RATE_WAIT_MS = 500;

/**
 * The next addresses of a job: scored, then noted as begun, then granted, counted and logged in one step, then written
 * down as done. Wherever a worker dies, the next one finds in the job whether a chunk was begun, and in Postgres or by the
 * note of its batch whether it was granted: it is counted once. Addresses that DNS could not answer for leave their chunk
 * before that, so the verdict that is counted is the one that the file shows.
 */
export async function runChunk(deps: ChunkDependencies, job: RunningBulkJob): Promise<AfterMs> {
  const { db, admission, clock, score, policyRules } = deps;
  const startedAt = performance.now();
  const isBegun = job.chunk_to !== null;
  const isLastPhase = job.done === job.addresses;
  const caller = { accountId: job.account_id, keyId: job.key_id, credential: job.key_id };

  const seen = await admission.look({ caller, count: 1, once: null, scope: 'check' });
  const account = seen.account ?? null;
  const quotaLeft = account ? leftOf(account) : 0;
  const rate = account?.rate ?? 1;
  const countMax = chunkSize({ rate, quotaLeft: Math.max(1, quotaLeft) });
  const stretch =
    job.chunk_to === null
      ? await nextAddresses(db, job, countMax)
      : await begunAddresses(db, job, job.chunk_to);
  if (stretch === null || typeof stretch === 'number') return stretch;
  if (!isBegun && !account) return stop(db, job, 'key_inactive');
  if (!isBegun && quotaLeft <= 0) return stop(db, job, 'quota');
  const { from, to } = stretch;

  const read = stretch.addresses.flatMap(({ number, email }) => {
    const parsed = parseEmail(email ?? '');
    return parsed.ok ? [{ number, address: parsed.address }] : [];
  });
  const scored = await score(
    read.map(({ address }) => address.text),
    job.account_id,
  );
  const isUnknown = (i: number) => scored[i]?.extra.mx_unknown === true;
  if (
    isLastPhase &&
    !isBegun &&
    job.again_round === 0 &&
    !job.dns_answered &&
    read.every((_, i) => isUnknown(i))
  ) {
    // DNS has answered for no address of the job, so further rounds would only delay it.
    await endRound(db, job, ASKING_ROUNDS_MAX);
    return 0;
  }
  const mayWait = !isBegun && job.again_round < ASKING_ROUNDS_MAX;
  const waiting = new Set(read.flatMap(({ number }, i) => (mayWait && isUnknown(i) ? [number] : [])));

  const ruledOf = await rulesOfJob(policyRules, job);

  // No pause from here on: the step refuses old batches, so a process that slept counts nothing.
  const bornMicros = clock.now();
  const begunMs = isBegun ? job.chunk_ms : Math.floor(bornMicros / 1_000);
  const attempt = isBegun ? job.chunk_attempt : job.chunk_attempt + 1;
  const waited = stretch.addresses.filter(({ unknown }) => unknown).length;
  const chunk = { from, to, begunMs, waiting: [...waiting], waited };
  if (!isBegun && !(await beginChunk(db, job, chunk))) return 0;
  const left = new Set([...waiting, ...(await erasedOfChunk(db, job.id, stretch))]);
  const addresses = read.filter(({ number }) => !left.has(number));
  const verdicts = scored.filter((_, i) => !left.has(read[i]?.number ?? -1));
  const batchId = `${job.id}-${job.done}-${to}-${attempt}`;
  const finished = { to, attempt, asked: read.length };
  const drop = () => dropChunk(db, job, attempt, { from, to, waited: isLastPhase ? addresses.length : 0 });
  const candidates: Candidate[] = addresses.map(({ number }) => ({
    number,
    logId: derivedLogId(begunMs, job.id, number),
  }));
  const granted = isBegun
    ? await findGranted(deps, candidates, { accountId: job.account_id, batchId, begunMs, ruledOf })
    : null;
  if (granted) {
    await finishChunk(db, job, finished, granted);
    deps.onDone(granted.length);
    return pauseAfterMs(granted.length, rate, job.sharing, performance.now() - startedAt);
  }
  if (candidates.length === 0) {
    await finishChunk(db, job, finished, []);
    return 0;
  }

  const taken = await admission
    .take({
      caller,
      requestId: job.id,
      batchId,
      bornMicros,
      pinned: policiesText({ live: job.policy_version, shadow: null }),
      checks: addresses.map(({ address }, i) => ({
        id: (candidates[i] as Candidate).logId,
        email: address.text,
        canonical: address.canonical,
        ip: null,
        normalIp: '',
        verdict: verdicts[i] as Verdict,
      })),
    })
    .catch(async (error: unknown) => {
      // That a chunk of another worker is late does not say that it was never granted: the next look finds its rows.
      const isKnown = error instanceof StepUndone && (!isBegun || error.message !== 'stale');
      if (!isKnown) throw error;
      await drop();
      return null;
    });
  if (taken === null) return 0;
  if (taken.state === 'replay' || taken.state === 'needs')
    throw new Error(`a chunk was answered with ${taken.state}`);
  if (taken.state !== 'granted') {
    await drop();
    if (!('account' in taken)) return stop(db, job, 'key_inactive');
    // The quota may have room for a smaller chunk; the next look shows whether it has none.
    return taken.state === 'rate' ? RATE_WAIT_MS : 0;
  }
  if (taken.nowMicros < bornMicros) {
    throw new ChunkOnItsWay(`the chunk of ${job.id} from ${job.done} was granted before`);
  }
  const checkedAt = formatCreatedAt(taken.nowMicros);
  const matchAt = new Map(taken.matches.map((match): [number, ListMatch] => [match.at, match]));
  await finishChunk(
    db,
    job,
    finished,
    candidates.map((candidate, i) =>
      toBulkVerdict(
        { ...candidate, checkedAt },
        verdicts[i] as Verdict,
        matchAt.get(i),
        ruledOf(addresses[i]?.address.canonical ?? '', taken.nowMicros),
        judgeNew,
      ),
    ),
  );
  deps.onDone(candidates.length);
  return pauseAfterMs(candidates.length, rate, job.sharing, performance.now() - startedAt);
}

/** Checks left in the month: of the account, and of a key with its own quota. */
export const leftOf = ({ limit, used, key }: AccountView): number =>
  Math.min(limit - used, key ? key.limit - key.used : Number.POSITIVE_INFINITY);

async function stop(db: Database, { id }: RunningBulkJob, because: 'quota' | 'key_inactive'): Promise<null> {
  await pauseBulkJob(db, id, because);
  return null;
}
