import type { Queue, Worker } from 'bullmq';

/** A script as the client keeps it; ioredis declares no more than an object. */
export interface BullmqScript {
  readonly lua: string;
  readonly numberOfKeys: number;
}

/** One of BullMQ's own scripts, by its name. test/bullmq-scripts.test.ts pins the texts that we run in ours. */
export async function bullmqScript(queue: Queue | Worker, name: string): Promise<BullmqScript> {
  const client = await queue.getBackend().client;
  const scripts = 'scriptsSet' in client ? (client.scriptsSet as Record<string, BullmqScript>) : {};
  const script = Object.entries(scripts).find(([named]) => named.startsWith(`${name}:`));
  if (!script) throw new Error(`BullMQ has no script ${name}`);
  return script[1];
}
