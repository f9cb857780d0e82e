import type { Decision } from '@verdict/contracts/decision.js';
import { createMetrics } from '@verdict/service-kit/metrics.js';
import { Counter, Histogram } from 'prom-client';

const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const DECISIONS = ['allow', 'challenge', 'review', 'block'] as const satisfies readonly Decision[];

/** The gateway's own figures; label values are bound once so that counting a check is one addition. */
export function createCounters() {
  const registry = createMetrics('gateway');
  const checks = new Counter({
    name: 'verdict_checks_total',
    help: 'Checks answered, by decision',
    labelNames: ['decision'],
    registers: [registry],
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
    checks: Object.fromEntries(DECISIONS.map((decision) => [decision, checks.labels(decision)])) as Record<
      Decision,
      Counter.Internal
    >,
    batch: {
      admission: batches.labels('admission'),
      scoring: batches.labels('scoring'),
      log: batches.labels('log'),
    },
  };
}
