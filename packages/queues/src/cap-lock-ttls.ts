import capLockTtlsLua from '@verdict/redis-store/lua/cap-lock-ttls.lua';
import type { Worker } from 'bullmq';

/** No job of ours is ever put off for longer. */
const DELAY_MAX_MS = 600_000;

/** Without it, a clock that was a day ahead for a second would block jobs for a day. */
export async function capLockTtls(worker: Worker, lockMs: number): Promise<void> {
  const { 'stalled-check': mark, active, delayed, '': prefix } = worker.keys;
  const redis = await worker.getBackend().client;
  // With its source, because it runs every few seconds only.
  await redis.runCommand('eval', [capLockTtlsLua, 3, mark, active, delayed, prefix, lockMs, DELAY_MAX_MS]);
}
