import { appendAudit } from '@verdict/db/accounts/audit-events.js';
import { takeAttempt } from '@verdict/redis-store/login-attempts.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../dependencies.js';
import { auditOf } from '../http/audit-of.js';

const WRONG_CODES = 5;
const WINDOW_MS = 86_400_000;

/**
 * Counts a wrong code behind a right password, and tells the user by mail and in the audit log at the fifth of a day. Whoever
 * guesses codes knows the password, which the user cannot see otherwise.
 */
export async function tellOfGuesses(
  { db, redis, createId, mails }: Pick<Dependencies, 'db' | 'redis' | 'createId' | 'mails'>,
  request: FastifyRequest,
  { userId, accountId }: { readonly userId: string; readonly accountId: string },
): Promise<void> {
  const isFew = (await takeAttempt(redis, `codes:${userId}`, WRONG_CODES - 1, WINDOW_MS)) === 0;
  if (isFew || (await takeAttempt(redis, `codes-told:${userId}`, 1, WINDOW_MS)) > 0) return;
  const notice = await mails.notice(request, userId, { kind: 'codes_guessed' });
  const audit = auditOf(createId, request, {
    action: 'user.codes_guessed',
    target: userId,
    userId,
    ...notice,
  });
  await appendAudit(db, accountId, audit);
}
