import { FORWARDED_BODY_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import { type AcceptedBatchBody, CHECK_BATCH_BODY_BYTES_MAX } from '@verdict/contracts/check-batch-api.js';
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import { credentialsOf } from '../auth/credentials.js';
import { REFUSAL_PAUSE_MS } from '../auth/slow-refusals.js';
import type { Dependencies } from '../dependencies.js';
import { declaredBytes } from '../forward/declared-bytes.js';
import { addressOf } from '../forward/forwarding-shares.js';

/** A refused body weighs an item for each of these, however few it has. */
const ITEM_BYTES = 1024;

/** Whose rate the wasted items of a request spend. */
export function wasterOf(request: FastifyRequest): string {
  const { key, token } = credentialsOf(request);
  return key?.keyId ?? token?.acc ?? '';
}

/**
 * Before a batch is read: refuses a key in debt, after a pause that makes its loops slow, and gives a large body its share of
 * the gateway's memory.
 */
export const shareBatches =
  ({ looks, forwarder }: Pick<Dependencies, 'looks' | 'forwarder'>): onRequestHookHandler =>
  (request, reply, done) => {
    try {
      looks.refuseWasteful(wasterOf(request));
    } catch (error) {
      setTimeout(done, REFUSAL_PAUSE_MS, error as Error);
      return;
    }
    const bytes = declaredBytes(request, CHECK_BATCH_BODY_BYTES_MAX);
    if (bytes > FORWARDED_BODY_BYTES_MAX) {
      const { key, token } = credentialsOf(request);
      const account = `account ${key?.accountId ?? token?.acc}`;
      forwarder.shares.bytes([addressOf(request), account], reply.raw, bytes);
    }
    done();
  };

/** Spends the rate of the key for a refused batch; a failure of ours costs nothing. */
export function wasteRefused(
  { looks }: Pick<Dependencies, 'looks'>,
  error: { readonly status?: number; readonly statusCode?: number },
  request: FastifyRequest,
): void {
  if (!request.credentials || (error.status ?? error.statusCode ?? 500) >= 500) return;
  const { items } = (request.body ?? {}) as Partial<AcceptedBatchBody>;
  const bytes = Math.min(Number(request.headers['content-length'] ?? 0), CHECK_BATCH_BODY_BYTES_MAX);
  looks.wasteItems(wasterOf(request), Math.max(items?.length ?? 1, bytes / ITEM_BYTES));
}
