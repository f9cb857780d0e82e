import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AcceptedBatchBody, BatchItemResult } from '@verdict/contracts/check-batch-api.js';
import type { FieldError } from '@verdict/service-kit/app-error.js';
import { answerText } from './answer-text.js';
import { type CheckInput, parseCheckInput } from './check-input.js';
import type { AnsweredCheck } from './to-answered.js';
import { toResult } from './to-result.js';

export interface Batch {
  /** Of the items that may be checked, in their order. */
  readonly inputs: readonly CheckInput[];
  /** One result per item: the checks of the inputs in their order, and what is wrong with the others. */
  toResults(checks: readonly AnsweredCheck[]): BatchItemResult[];
  /** The same as JSON, for checks without expansions. */
  toText(checks: readonly AnsweredCheck[]): string;
}

export type Item = AcceptedBatchBody['items'][number];

/** Long addresses with foreign letters cost 80 us each, so a turn of the event loop takes a few milliseconds. */
const ITEMS_PER_TURN = 50;

/** Separates valid items from malformed ones. */
export async function readBatch(items: readonly Item[]): Promise<Batch> {
  const read: (CheckInput | FieldError)[] = [];
  const inputs: CheckInput[] = [];
  for (const item of items) {
    if (read.length > 0 && read.length % ITEMS_PER_TURN === 0) await nextTurn();
    const own = readItem(item);
    read.push(own);
    if (!('field' in own)) inputs.push(own);
  }
  return {
    inputs,
    toResults(checks) {
      let next = 0;
      return read.map((item, i) => {
        const ref = items[i]?.ref ?? null;
        return 'field' in item
          ? { ref, ...faultOf(item) }
          : { ref, check: toResult(checks[next++] as AnsweredCheck) };
      });
    },
    toText(checks) {
      let next = 0;
      let text = '';
      for (let i = 0; i < read.length; i++) {
        const item = read[i] as CheckInput | FieldError;
        const { ref = null } = items[i] as Item;
        if (i > 0) text += ',';
        if ('field' in item) text += JSON.stringify({ ref, ...faultOf(item) });
        else {
          const name = ref === null ? 'null' : JSON.stringify(ref);
          text += `{"ref":${name},"check":${answerText(checks[next++] as AnsweredCheck)}}`;
        }
      }
      return text;
    },
  };
}

/** Like the body of a 400, without the stack trace of an error. */
const faultOf = ({ field, message }: FieldError) => ({
  error: `${field}: ${message}`,
  code: 'invalid_request',
  errors: [{ field, message }],
});

function readItem({ email, ip, tag }: Item): CheckInput | FieldError {
  if (email === undefined) return { field: 'email', message: 'is required' };
  if (typeof email !== 'string') return { field: 'email', message: 'must be a string' };
  if (ip !== undefined && ip !== null && typeof ip !== 'string')
    return { field: 'ip', message: 'must be a string or null' };
  if (tag !== undefined && tag !== null && typeof tag !== 'string')
    return { field: 'tag', message: 'must be a string or null' };
  return parseCheckInput({ email, ip, tag });
}
