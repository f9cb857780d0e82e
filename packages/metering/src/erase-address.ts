import { setTimeout as pause } from 'node:timers/promises';
import { eraseSubjects, recordErasure } from '@verdict/db/erase-subject.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { readBacklog } from '@verdict/queues/backlog.js';
import type { DeadLetter } from '@verdict/queues/dead-letters.js';
import { forgetAnswers } from '@verdict/redis-store/forget-answers.js';
import type { Metering } from './metering.js';
import { redactLetter } from './redact-letter.js';
import { redisNow } from './redis-now.js';

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
}

/** Forgets one address wherever it is kept; counts stay as they are. Throws when the queue does not drain in time. */
export async function eraseAddress(metering: Metering, options: Options): Promise<ErasureReceipt> {
  const { db, redis, deadLetters } = metering;
  const email = options.email.trim().toLowerCase();
  const emailHash = hashEmail(options.hashSecret, email);
  // Twice around the wait: at once for what is there, and again for what was still in the queue.
  let checks = await eraseSubjects(db, emailHash);
  await drained(metering, options.drainMs);
  checks += await eraseSubjects(db, emailHash);

  let letters = 0;
  for (const letter of await deadLetters.list()) {
    const redacted = redactLetter(letter, email);
    if (!redacted) continue;
    await replaceLetter(metering, letter, redacted);
    letters += 1;
  }
  const answers = await forgetAnswers(redis, email);
  await recordErasure(db, { id: options.id, emailHash, checks, deadLetters: letters });
  return { id: options.id, emailHash, checks, deadLetters: letters, answers };
}

async function replaceLetter(
  { deadLetters }: Metering,
  old: DeadLetter,
  redacted: DeadLetter,
): Promise<void> {
  await deadLetters.add(redacted);
  await deadLetters.remove(old.id);
}

async function drained({ redis, shards }: Metering, drainMs: number): Promise<void> {
  const startMs = await redisNow(redis);
  const deadline = startMs + drainMs;
  for (;;) {
    const { oldestMs } = await readBacklog(redis, shards);
    if (oldestMs === null || oldestMs > startMs) return;
    if ((await redisNow(redis)) > deadline) {
      throw new Error('the queue still holds checks from before: let the worker catch up and erase again');
    }
    await pause(200);
  }
}
