import type { ApiAnswer } from './send-once.js';
import type { BatchItem, BatchItemResult } from './types.js';
import { VerdictError } from './verdict-error.js';

const PART_MAX = 1_000;

export interface PartOptions {
  /** Items in the first request; later ones take what the plan allows. */
  readonly firstSize: number;
  readonly concurrency: number;
  /** Sends one part; after a failure elsewhere `isGivenUp` tells it to try no further. */
  readonly send: (
    part: readonly BatchItem[],
    isGivenUp: () => boolean,
  ) => Promise<ApiAnswer<{ results: BatchItemResult[] }>>;
}

/**
 * Results of any number of items in their order, in requests as large as the plan allows. The first failure keeps back what was
 * not sent yet and waits for what was: that has counted, so the error hands over the results that were not read.
 */
export async function* checkInParts(
  items: Iterable<BatchItem> | AsyncIterable<BatchItem>,
  { firstSize, concurrency, send }: PartOptions,
): AsyncGenerator<BatchItemResult, void, undefined> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const sent: Promise<BatchItemResult[]>[] = [];
  const unread = new Map<number, BatchItemResult>();
  let size = firstSize;
  let taken = 0;
  let read = 0;
  let isOver = false;
  let isGivenUp = false;

  const take = async (): Promise<BatchItem[]> => {
    const part: BatchItem[] = [];
    while (part.length < size && !isOver) {
      const { done, value } = await source.next();
      if (done) isOver = true;
      else part.push(value);
    }
    return part;
  };
  const begin = async (part: readonly BatchItem[], from: number): Promise<BatchItemResult[]> => {
    try {
      const { body, limits } = await send(part, () => isGivenUp);
      size = Math.max(1, Math.min(PART_MAX, limits.rateLimit ?? size));
      body.results.forEach((result, i) => {
        unread.set(from + i, result);
      });
      return body.results;
    } catch (error) {
      isGivenUp = true;
      throw error;
    }
  };

  try {
    for (;;) {
      while (sent.length < concurrency && !isOver && !isGivenUp) {
        const part = await take();
        if (part.length === 0) break;
        const answer = begin(part, taken);
        // A reader that stops would leave this promise unhandled.
        answer.catch(() => undefined);
        sent.push(answer);
        taken += part.length;
      }
      const first = sent.shift();
      if (!first) return;
      for (const result of await first) {
        unread.delete(read++);
        yield result;
      }
    }
  } catch (error) {
    await Promise.allSettled(sent);
    if (!(error instanceof VerdictError)) throw error;
    const results: BatchItemResult[] = [];
    for (const [i, result] of unread) results[i] = result;
    throw new VerdictError(error.message, { ...error, results }, { cause: error.cause });
  } finally {
    isGivenUp = true;
    if (!isOver) await source.return?.();
  }
}
