import { joinCarried } from '@verdict/telemetry/carried-traces.js';
import type { Attributes, Step, StepKind, Tracing } from '@verdict/telemetry/tracing.js';
import type { NaturalBatcher } from '../batching/natural-batcher.js';

/** Which checks a batch holds, for whoever goes on with it; undefined when none of them is sampled. */
export type CarryTraces = (entries: readonly { readonly item: object }[]) => string | undefined;

export interface BatchTraces {
  /** A step of its check for every item, from the moment it is submitted until it is answered. */
  follow<Item extends object, Result>(
    kind: StepKind,
    name: string,
    batcher: NaturalBatcher<Item, Result>,
    describe?: (item: Item) => Attributes,
  ): NaturalBatcher<Item, Result>;
  readonly carried: CarryTraces;
}

/** Where traces are off, batchers stay what they are and batches carry nothing. */
export const NO_BATCH_TRACES: BatchTraces = {
  follow: (_kind, _name, batcher) => batcher,
  carried: () => undefined,
};

/**
 * A batch is sent on behalf of many checks and in nobody's async context, so the step of a check is found through its
 * item: submitted in the context of the check, and in hand again when the batch leaves.
 */
export function createBatchTraces(tracing: Tracing): BatchTraces {
  const steps = new WeakMap<object, Step>();
  return {
    follow: (kind, name, batcher, describe) => ({
      async submit(item) {
        const step = tracing.start(kind, name, tracing.current(), describe?.(item));
        steps.set(item, step);
        try {
          const result = await batcher.submit(item);
          step.end();
          return result;
        } catch (error) {
          step.fail(error);
          throw error;
        }
      },
      drained: () => batcher.drained(),
      get waiting() {
        return batcher.waiting;
      },
    }),
    carried: (entries) => joinCarried(entries.map(({ item }) => steps.get(item))),
  };
}
