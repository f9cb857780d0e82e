import type { AccountView } from '@verdict/admission/submission.js';
import type { FastifyReply } from 'fastify';
import { secondsUntilReset } from './quota-month.js';

/** How much is left, of this second and of this month, at no extra round trip. */
export function setLimitHeaders(reply: FastifyReply, account: AccountView, used: number): void {
  reply.header('ratelimit-limit', account.rate);
  reply.header('ratelimit-remaining', account.rateLeft);
  reply.header('ratelimit-reset', 1);
  reply.header('x-quota-limit', account.limit);
  reply.header('x-quota-remaining', Math.max(0, account.limit - used));
  reply.header('x-quota-reset', secondsUntilReset(account.nowMicros));
}
