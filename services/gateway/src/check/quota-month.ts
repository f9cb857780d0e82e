import { monthBounds, monthOf } from '@verdict/domain/month.js';

/** The month that Redis' clock is in, and when it ends; worked out once per month. */
let month = '';
let startMs = 0;
let endMs = 0;

export function quotaMonth(nowMicros: number) {
  settleOn(nowMicros / 1_000);
  return { month, start: new Date(startMs), end: new Date(endMs) };
}

export function secondsUntilReset(nowMicros: number): number {
  const nowMs = nowMicros / 1_000;
  settleOn(nowMs);
  return Math.max(1, Math.ceil((endMs - nowMs) / 1_000));
}

function settleOn(nowMs: number): void {
  if (nowMs >= startMs && nowMs < endMs) return;
  month = monthOf(new Date(nowMs));
  const { start, end } = monthBounds(month);
  startMs = start.getTime();
  endMs = end.getTime();
}
