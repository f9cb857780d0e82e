import type { Admission } from '@verdict/admission/admission.js';
import type { RedisClock } from '@verdict/admission/redis-clock.js';
import type { AccountView } from '@verdict/admission/submission.js';
import { StepUndone } from '@verdict/admission/take-step.js';
import type { ListMatch } from '@verdict/contracts/step-note.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { beginChunk, dropChunk, erasedOfChunk, readBulkAddresses } from '@verdict/db/bulk/bulk-chunks.js';
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
 * note of its batch whether it was granted: it is counted once.
 */
export async function runChunk(deps: ChunkDependencies, job: RunningBulkJob): Promise<AfterMs> {
  const { db, admission, clock, score, policyRules } = deps;
  const startedAt = performance.now();
  const caller = { accountId: job.account_id, keyId: job.key_id, credential: job.key_id };

  const seen = await admission.look({ caller, count: 1, once: null, scope: 'check' });
  const account = seen.account ?? null;
  const quotaLeft = account ? leftOf(account) : 0;
  if (job.chunk_to === null && !account) return stop(db, job, 'key_inactive');
  if (job.chunk_to === null && quotaLeft <= 0) return stop(db, job, 'quota');
  const rate = account?.rate ?? 1;
  const to =
    job.chunk_to ?? job.done + chunkSize({ rate, quotaLeft, addressesLeft: job.addresses - job.done });

  const read = (await readBulkAddresses(db, job.id, job.done, to)).flatMap(({ number, email }) => {
    const parsed = parseEmail(email ?? '');
    return parsed.ok ? [{ number, address: parsed.address }] : [];
  });
  const scored = await score(
    read.map(({ address }) => address.text),
    job.account_id,
  );

  const ruledOf = await rulesOfJob(policyRules, job);

  // No pause from here on: the step refuses old batches, so a process that slept counts nothing.
  const bornMicros = clock.now();
  const begunMs = job.chunk_to === null ? Math.floor(bornMicros / 1_000) : job.chunk_ms;
  const attempt = job.chunk_to === null ? job.chunk_attempt + 1 : job.chunk_attempt;
  if (job.chunk_to === null && !(await beginChunk(db, job, to, begunMs))) return 0;
  const erased = await erasedOfChunk(db, job.id, job.done, to);
  const addresses = read.filter(({ number }) => !erased.has(number));
  const verdicts = scored.filter((_, i) => !erased.has(read[i]?.number ?? -1));
  const batchId = `${job.id}-${job.done}-${to}-${attempt}`;
  const candidates: Candidate[] = addresses.map(({ number }) => ({
    number,
    logId: derivedLogId(begunMs, job.id, number),
  }));
  const granted =
    job.chunk_to === null
      ? null
      : await findGranted(deps, candidates, { accountId: job.account_id, batchId, begunMs, ruledOf });
  if (granted) {
    await finishChunk(db, job, { to, attempt }, granted);
    deps.onDone(granted.length);
    return pauseAfterMs(granted.length, rate, job.sharing, performance.now() - startedAt);
  }
  if (candidates.length === 0) {
    await finishChunk(db, job, { to, attempt }, []);
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
      const isKnown = error instanceof StepUndone && (job.chunk_to === null || error.message !== 'stale');
      if (!isKnown) throw error;
      await dropChunk(db, job, attempt);
      return null;
    });
  if (taken === null) return 0;
  if (taken.state === 'replay' || taken.state === 'needs')
    throw new Error(`a chunk was answered with ${taken.state}`);
  if (taken.state !== 'granted') {
    await dropChunk(db, job, attempt);
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
    { to, attempt },
    candidates.map((candidate, i) =>
      toBulkVerdict(
        { ...candidate, checkedAt },
        verdicts[i] as Verdict,
        matchAt.get(i),
        ruledOf(addresses[i]?.address.canonical ?? '', taken.nowMicros),
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
