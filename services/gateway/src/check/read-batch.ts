import type { CheckResult } from '@verdict/contracts/check-api.js';
import type { AcceptedBatchBody, BatchItemResult } from '@verdict/contracts/check-batch-api.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { errorBody } from '@verdict/service-kit/error-body.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import { type CheckInput, readCheckInput } from './check-input.js';

export interface Batch {
  /** Of the items that may be checked, in their order. */
  readonly inputs: readonly CheckInput[];
  /** One result per item: those of the inputs in their order, and what is wrong with the others. */
  toResults(checks: readonly CheckResult[]): BatchItemResult[];
}

type Item = AcceptedBatchBody['items'][number];

/** Separates valid items from malformed ones. */
export function readBatch(items: readonly Item[]): Batch {
  const read = items.map((item) => {
    try {
      return { ref: item.ref ?? null, input: readItem(item) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const { error: sentence, code, errors = [] } = errorBody(error);
      return { ref: item.ref ?? null, fault: { error: sentence, code, errors } };
    }
  });
  return {
    inputs: read.flatMap(({ input }) => (input ? [input] : [])),
    toResults(checks) {
      let next = 0;
      return read.map(({ ref, input, fault }) =>
        input ? { ref, check: checks[next++] as CheckResult } : { ref, ...fault },
      );
    },
  };
}

function readItem({ email, ip }: Item): CheckInput {
  if (email === undefined) throw invalidField('email', 'is required');
  if (typeof email !== 'string') throw invalidField('email', 'must be a string');
  if (ip !== undefined && ip !== null && typeof ip !== 'string')
    throw invalidField('ip', 'must be a string or null');
  return readCheckInput({ email, ...(ip === undefined ? {} : { ip }) });
}
