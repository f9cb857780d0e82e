import { splitCarried } from '@verdict/telemetry/carried-traces.js';
import type { Step, Tracing } from '@verdict/telemetry/tracing.js';

/** A step in the trace of each sampled check of a batch; it lasts as long as the batch. */
export function startScoreSteps(tracing: Tracing, traces: string | undefined): Step[] {
  const carried = splitCarried(traces);
  return carried.map((parent) =>
    tracing.start('server', 'score', parent, { 'verdict.sampled_in_batch': carried.length }),
  );
}
