import { joinCarried } from '@verdict/telemetry/carried-traces.js';
import type { Attributes, Step, StepKind, Tracing } from '@verdict/telemetry/tracing.js';

type Verb<Item, Result> = (item: Item) => Promise<Result>;

export interface BatchTraces {
  /** A step of its check for every call of a verb, until it is answered. */
  follow<Item extends object, Result>(
    kind: StepKind,
    name: string,
    verb: Verb<Item, Result>,
    describe?: (item: Item) => Attributes,
  ): Verb<Item, Result>;
  /** The checks of a batch for the next service; undefined when none of them is sampled. */
  readonly carried: (items: readonly object[]) => string | undefined;
}

/** Where traces are off, verbs stay what they are and batches carry nothing. */
export const NO_BATCH_TRACES: BatchTraces = {
  follow: (_kind, _name, verb) => verb,
  carried: () => undefined,
};

/**
 * A batch is sent for many checks outside their async contexts, so the step of a check is found through its item,
 * which was handed over in the context of the check.
 */
export function createBatchTraces(tracing: Tracing): BatchTraces {
  const steps = new WeakMap<object, Step>();
  return {
    follow: (kind, name, verb, describe) => async (item) => {
      const step = tracing.start(kind, name, tracing.current(), describe?.(item));
      steps.set(item, step);
      try {
        const result = await verb(item);
        step.end();
        return result;
      } catch (error) {
        step.fail(error);
        throw error;
      }
    },
    carried: (items) => joinCarried(items.map((item) => steps.get(item))),
  };
}
