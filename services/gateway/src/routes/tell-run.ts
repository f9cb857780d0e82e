import type { FastifyReply } from 'fastify';
import { setLimitHeaders } from '../check/limit-headers.js';
import type { ChecksRun } from '../check/run-checks.js';
import type { Dependencies } from '../dependencies.js';

/** What an answer says beside its body: how much is left, or that it was given before. */
export function tellRun(
  { counters }: Dependencies,
  reply: FastifyReply,
  { account, results }: ChecksRun,
): void {
  if (!account) {
    reply.header('idempotent-replayed', 'true');
    return;
  }
  setLimitHeaders(reply, account, account.used);
  if (account.isTest) return;
  for (const { decision } of results) counters.checks[decision]++;
}
