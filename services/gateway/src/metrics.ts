import type { Decision } from '@verdict/domain/decision.js';
import { createRegistry } from '@verdict/service-kit/registry.js';
import { Counter, Gauge, Histogram } from 'prom-client';

const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/** The gateway's metrics. Checks are plain numbers, read on demand, so that counting one is an addition. */
export function createGatewayMetrics() {
  const registry = createRegistry('gateway');
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
  const admissions = {
    granted: 0,
    quota: 0,
    key_quota: 0,
    rate: 0,
    remembered: 0,
    tests: 0,
    replay: 0,
    absent: 0,
    needs: 0,
    forbidden: 0,
    expired: 0,
    address: 0,
    scope: 0,
  };
  new Counter({
    name: 'verdict_admissions_total',
    help: 'Checks that took the step, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(admissions)) this.inc({ outcome }, count);
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
    admissions,
    scoringSeconds: new Histogram({
      name: 'verdict_scoring_seconds',
      help: 'From sending a batch to scoring until its first verdicts arrived, second attempts included',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1],
      registers: [registry],
    }),
    scoringFailures: new Counter({
      name: 'verdict_scoring_failures_total',
      help: 'Attempts at a scoring replica that failed',
      registers: [registry],
    }),
    hooks: new Counter({
      name: 'verdict_hooks_total',
      help: 'Sign-ups that auth providers asked about, by kind of hook and outcome',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    }),
    ipLookupFailures: new Counter({
      name: 'verdict_ip_lookup_failures_total',
      help: 'Requests answered without the networks of their IPs, because they could not be looked up',
      registers: [registry],
    }),
    shedding: new Gauge({
      name: 'verdict_checks_shed',
      help: '1 while checks are refused because too many logs wait or Redis is nearly full',
      registers: [registry],
    }),
    redisMemory: new Gauge({
      name: 'verdict_redis_memory_ratio',
      help: 'Memory that Redis uses of its maxmemory, its fullest node; 0 without a maxmemory',
      registers: [registry],
    }),
    batch: {
      scoring: batches.labels('scoring'),
      step: batches.labels('step'),
    },
  };
}
