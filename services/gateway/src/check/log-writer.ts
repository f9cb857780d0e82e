import type { CheckLog } from '@verdict/contracts/check-log-job.js';
import type { CheckLogProducer } from '@verdict/queues/check-log-producer.js';
import { createNaturalBatcher, type NaturalBatcher } from '../batching/natural-batcher.js';
import type { CarryTraces } from '../tracing/batch-traces.js';

export type LogWriter = NaturalBatcher<CheckLog, void>;

interface LogWriterOptions {
  readonly producer: CheckLogProducer;
  readonly batchMax: number;
  readonly waitingMax: number;
  readonly onBatch: (size: number) => void;
  readonly carried: CarryTraces;
}

/** Group commit: whatever gathered while Redis was writing the last job becomes the next one. */
export function createLogWriter(options: LogWriterOptions): LogWriter {
  const { producer, batchMax, waitingMax, onBatch, carried } = options;
  return createNaturalBatcher<CheckLog, void>({
    batchMax,
    waitingMax,
    inFlightMax: 2,
    onBatch,
    async send(entries) {
      await producer.add(
        entries.map((entry) => entry.item),
        carried(entries),
      );
      for (const entry of entries) entry.resolve();
    },
  });
}
