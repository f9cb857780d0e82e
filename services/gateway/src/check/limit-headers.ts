import type { AccountView } from '@verdict/admission/submission.js';
import type { FastifyReply } from 'fastify';
import { secondsUntilReset } from './quota-month.js';

/** How much is left, of this second and of this month, at no extra round trip. */
export function setLimitHeaders(reply: FastifyReply, account: AccountView, used: number): void {
  reply.header('ratelimit-limit', account.rate);
  reply.header('ratelimit-remaining', account.rateLeft);
  reply.header('ratelimit-reset', 1);
  const { limit, left } = tighter(account, used);
  reply.header('x-quota-limit', limit);
  reply.header('x-quota-remaining', left);
  reply.header('x-quota-reset', secondsUntilReset(account.nowMicros));
}

/** A key with a quota of its own may run out before its account, or after it. */
function tighter({ limit, key }: AccountView, used: number): { limit: number; left: number } {
  const left = Math.max(0, limit - used);
  if (!key || key.limit - key.used >= left) return { limit, left };
  return { limit: key.limit, left: Math.max(0, key.limit - key.used) };
}
