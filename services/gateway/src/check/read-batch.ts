import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CheckResult } from '@verdict/contracts/check-api.js';
import type { AcceptedBatchBody, BatchItemResult } from '@verdict/contracts/check-batch-api.js';
import type { FieldError } from '@verdict/service-kit/app-error.js';
import { type CheckInput, parseCheckInput } from './check-input.js';

export interface Batch {
  /** Of the items that may be checked, in their order. */
  readonly inputs: readonly CheckInput[];
  /** One result per item: those of the inputs in their order, and what is wrong with the others. */
  toResults(checks: readonly CheckResult[]): BatchItemResult[];
}

export type Item = AcceptedBatchBody['items'][number];

/** Long addresses with foreign letters cost 80 us each, so a turn of the event loop takes a few milliseconds. */
const ITEMS_PER_TURN = 50;

/** Separates valid items from malformed ones. */
export async function readBatch(items: readonly Item[]): Promise<Batch> {
  const read: ReturnType<typeof readItem>[] = [];
  for (const item of items) {
    if (read.length > 0 && read.length % ITEMS_PER_TURN === 0) await nextTurn();
    read.push(readItem(item));
  }
  return {
    inputs: read.flatMap((item) => ('field' in item ? [] : [item])),
    toResults(checks) {
      let next = 0;
      return read.map((item, i) => {
        const ref = items[i]?.ref ?? null;
        return 'field' in item ? { ref, ...faultOf(item) } : { ref, check: checks[next++] as CheckResult };
      });
    },
  };
}

/** Like the body of a 400, without the stack trace of an error. */
const faultOf = (fault: FieldError) => ({
  error: `${fault.field}: ${fault.message}`,
  code: 'invalid_request',
  errors: [fault],
});

function readItem({ email, ip }: Item): CheckInput | FieldError {
  if (email === undefined) return { field: 'email', message: 'is required' };
  if (typeof email !== 'string') return { field: 'email', message: 'must be a string' };
  if (ip !== undefined && ip !== null && typeof ip !== 'string')
    return { field: 'ip', message: 'must be a string or null' };
  return parseCheckInput({ email, ...(ip === undefined ? {} : { ip }) });
}
