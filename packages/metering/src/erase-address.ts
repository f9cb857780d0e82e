import { setTimeout as pause } from 'node:timers/promises';
import { redactRecord } from '@verdict/admission/replay-record.js';
import { redactAudit } from '@verdict/db/accounts/audit-privacy.js';
import {
  eraseBulkSubjects,
  eraseSubjects,
  holdsErasedChunks,
  recordErasure,
  unparsedFiles,
} from '@verdict/db/erasure/erase-subject.js';
import { deleteInvitationsOf } from '@verdict/db/people/invitations.js';
import { deleteMailTokens } from '@verdict/db/people/mail-tokens.js';
import { addressHash } from '@verdict/domain/address/address-hash.js';
import { canonicalOf } from '@verdict/domain/address/canonical-of.js';
import { emailSpellings } from '@verdict/domain/address/email-spellings.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { holdsJobsBefore } from '@verdict/queues/backlog.js';
import { redactRecords } from '@verdict/redis-store/redact-records.js';
import { redisNow } from '@verdict/redis-store/redis-now.js';
import type { Metering } from './metering.js';
import { redactAddress } from './redact-address.js';
import { redactDeadLetters } from './redact-dead-letters.js';
import { redactJob } from './redact-job.js';
import { REQUEST_LIFE_MAX_MS } from './request-life.js';

interface Options {
  readonly id: string;
  readonly email: string;
  readonly hashSecret: string;
  /** How long to wait for checks of this address that may still be queued. */
  readonly drainMs: number;
}

export interface ErasureReceipt {
  readonly id: string;
  readonly emailHash: string;
  readonly checks: number;
  readonly deadLetters: number;
  readonly answers: number;
  readonly auditRecords: number;
  /** Rows in files of bulk jobs. */
  readonly bulkRows: number;
}

/** Forgets one address wherever it is kept; counts stay as they are. Throws when the queue does not drain in time. */
export async function eraseAddress(metering: Metering, options: Options): Promise<ErasureReceipt> {
  const { db, redis } = metering;
  const { id, email, hashSecret, drainMs } = options;
  const spellings = emailSpellings(email);
  const hashes = spellings.map((spelling) => hashEmail(hashSecret, spelling));
  // Runs twice around the wait: now for stored checks, and again for those in flight from the queue to Postgres or the
  // dead letters, or back by a retry.
  let checks = await eraseSubjects(db, hashes);
  let deadLetters = await redactDeadLetters(metering, (payload) => redactJob(payload, spellings));
  let bulkRows = await eraseBulkSubjects(db, spellings.map(addressHash));
  await drained(metering, drainMs);
  bulkRows += await eraseBulkSubjects(db, spellings.map(addressHash));
  checks += await eraseSubjects(db, hashes);
  deadLetters += await redactDeadLetters(metering, (payload) => redactJob(payload, spellings));
  const answers = await redactRecords(redis, (record) => redactRecord(record, spellings));
  const auditRecords = await redactAudit(db, (details) => redactAddress(details, spellings));
  for (const spelling of spellings) {
    await deleteMailTokens(db, spelling);
    await deleteInvitationsOf(db, spelling);
  }
  const emailHash = hashEmail(hashSecret, canonicalOf(email));
  const spellingHashes = [...new Set(hashes)].filter((hash) => hash !== emailHash);
  await recordErasure(db, { id, emailHash, spellingHashes, checks, deadLetters });
  return { id, emailHash, checks, deadLetters, answers, auditRecords, bulkRows };
}

/**
 * Waits for files that arrived before and are not parsed, and for chunks of bulk jobs that were begun with the address:
 * they queue what they grant. A job carries the clock of the gateway that queued it, and what was admitted before may be
 * queued a moment later.
 */
async function drained({ db, redis, shards }: Metering, drainMs: number): Promise<void> {
  const startMs = await redisNow(redis);
  const files = new Set(await unparsedFiles(db));
  for (;;) {
    if (
      !(await unparsedFiles(db)).some((id) => files.has(id)) &&
      !(await holdsErasedChunks(db)) &&
      !(await holdsJobsBefore(redis, shards, startMs + REQUEST_LIFE_MAX_MS))
    )
      return;
    if ((await redisNow(redis)) > startMs + drainMs) {
      throw new Error('the queue still holds checks from before: let the worker catch up and erase again');
    }
    await pause(200);
  }
}
