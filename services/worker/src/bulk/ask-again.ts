import type { Verdict } from '@verdict/contracts/verdict.js';
import { endRound, readUnknownAddresses } from '@verdict/db/bulk/bulk-chunks.js';
import { completeBulkJob, type RunningBulkJob } from '@verdict/db/bulk/bulk-lease.js';
import { replaceVerdicts } from '@verdict/db/bulk/store-verdicts.js';
import type { AfterMs } from '@verdict/db/work/run-work.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { instantMicros } from '@verdict/domain/instant-micros.js';
import { CHUNK_MAX } from './pace.js';
import { rulesOfJob } from './rules-of-job.js';
import type { ChunkDependencies } from './run-chunk.js';
import { toBulkVerdict } from './to-bulk-verdict.js';

/** How often unknown addresses are scored again at the end, and the wait in between. */
const ROUNDS_MAX = 3;
const ROUND_PAUSE_MS = 5_000;

/**
 * The end of a job: addresses that DNS could not answer for are scored again, without being counted or logged again; then
 * the job is complete. Addresses unknown after the last round stay so, and where DNS has never answered nobody asks on.
 */
export async function askAgain(
  { db, score, policyRules }: Pick<ChunkDependencies, 'db' | 'score' | 'policyRules'>,
  job: RunningBulkJob,
): Promise<AfterMs> {
  if (job.unknown === 0 || job.again_round >= ROUNDS_MAX) {
    await completeBulkJob(db, job.id);
    return null;
  }
  const addresses = await readUnknownAddresses(db, job.id, job.again_after, CHUNK_MAX);
  if (addresses.length === 0) {
    await endRound(db, job);
    return ROUND_PAUSE_MS;
  }
  const known = addresses.filter(({ email }) => email !== null);
  const verdicts = await score(
    known.map(({ email }) => email as string),
    job.account_id,
  );
  const isSilent =
    job.again_round === 0 && known.length > 0 && verdicts.every(({ extra }) => extra.mx_unknown);
  if (isSilent && !job.dns_answered) {
    await completeBulkJob(db, job.id);
    return null;
  }
  const ruledOf = await rulesOfJob(policyRules, job);
  await replaceVerdicts(
    db,
    job,
    addresses.at(-1)?.number ?? job.again_after,
    known.map(({ number, email, checked_at }, i) => {
      const parsed = parseEmail(email as string);
      // Null where the release before checked it, which knew no end of rules.
      const atMicros = checked_at === null ? 0 : (instantMicros(checked_at) ?? 0);
      const ruled = parsed.ok ? ruledOf(parsed.address.canonical, atMicros) : null;
      const named = { number, logId: '', checkedAt: checked_at };
      return toBulkVerdict(named, verdicts[i] as Verdict, undefined, ruled);
    }),
  );
  return 0;
}
