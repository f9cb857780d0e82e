import type { FastifyReply } from 'fastify';
import { limitHeaders } from '../check/limit-headers.js';
import type { ChecksRun } from '../check/run-checks.js';
import type { Dependencies } from '../dependencies.js';

/** What an answer says beside its body: how much is left, and whether it was given before. */
export function tellRun(
  { metrics }: Dependencies,
  reply: FastifyReply,
  { account, results, replayed }: ChecksRun,
): void {
  reply.headers(limitHeaders(account, account.used));
  if (replayed) {
    reply.header('idempotent-replayed', 'true');
    return;
  }
  if (account.isTest) return;
  for (const { decision } of results) metrics.checks[decision]++;
}
