import type { FastifyReply } from 'fastify';

/** Aborted when the answer has left or its reader has: pages without a reader must not wait before others. */
export function whileOpen({ raw }: FastifyReply): AbortSignal {
  const closed = new AbortController();
  if (raw.destroyed) closed.abort();
  else raw.once('close', () => closed.abort());
  return closed.signal;
}
