import { BatcherFull } from '../batching/natural-batcher.js';

/**
 * True when a log certainly did not reach the queue: it was never sent, or Redis itself answered that it refused. A
 * timeout or a broken connection proves nothing.
 */
export function outcomeIsKnown(error: unknown): boolean {
  return error instanceof BatcherFull || (error instanceof Error && error.name === 'ReplyError');
}
