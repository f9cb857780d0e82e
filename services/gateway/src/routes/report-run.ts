import type { FastifyReply } from 'fastify';
import { limitHeaders } from '../check/limit-headers.js';
import type { ChecksRun } from '../check/run-checks.js';
import type { Dependencies } from '../dependencies.js';

/** Sets the headers of an answer: the limits, and whether it is a replay. */
export function reportRun(
  { metrics }: Dependencies,
  reply: FastifyReply,
  { account, checks, replayed }: ChecksRun,
): void {
  reply.headers(limitHeaders(account, account.used));
  if (replayed) {
    reply.header('idempotent-replayed', 'true');
    return;
  }
  if (account.isTest) return;
  for (const { judgement } of checks) metrics.checks[judgement.decision]++;
}
