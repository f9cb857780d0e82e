import type { Decision } from '@verdict/contracts/decision.js';
import { createMetrics } from '@verdict/service-kit/metrics.js';
import { Counter, Histogram } from 'prom-client';

const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The gateway's own figures. Checks are plain numbers, read when somebody asks, so that counting one is an addition. */
export function createCounters() {
  const registry = createMetrics('gateway');
  const checks: Record<Decision, number> = { allow: 0, challenge: 0, review: 0, block: 0 };
  new Counter({
    name: 'verdict_checks_total',
    help: 'Checks answered, by decision',
    labelNames: ['decision'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [decision, count] of Object.entries(checks)) this.inc({ decision }, count);
    },
  });
  const batches = new Histogram({
    name: 'verdict_batch_size',
    help: 'Checks that shared one round trip, by stage',
    labelNames: ['stage'],
    buckets: BATCH_BUCKETS,
    registers: [registry],
  });
  return {
    registry,
    checks,
    batch: {
      admission: batches.labels('admission'),
      scoring: batches.labels('scoring'),
      log: batches.labels('log'),
    },
  };
}
