import { createRegistry } from '@verdict/service-kit/registry.js';
import { Counter, Gauge, Histogram } from 'prom-client';

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>;

/** The metrics from queue to rollup. */
export function createWorkerMetrics() {
  const registry = createRegistry('worker');
  const registers = [registry];
  return {
    registry,
    partFailures: new Counter({
      name: 'verdict_worker_failures_total',
      help: 'Failures that a part of the worker survived, by part',
      labelNames: ['part'],
      registers,
    }),
    persisted: new Counter({
      name: 'verdict_checks_persisted_total',
      help: 'Checks written to Postgres and counted',
      registers,
    }),
    duplicates: new Counter({
      name: 'verdict_checks_redelivered_total',
      help: 'Checks that came again and changed nothing',
      registers,
    }),
    bulkAddresses: new Counter({
      name: 'verdict_bulk_addresses_total',
      help: 'Addresses of bulk jobs that were checked',
      registers,
    }),
    deadLettered: new Counter({
      name: 'verdict_checks_dead_lettered_total',
      help: 'Records set aside because they cannot be persisted',
      registers,
    }),
    retries: new Counter({
      name: 'verdict_persist_retries_total',
      help: 'Statements that failed and were tried again',
      registers,
    }),
    statementSeconds: new Histogram({
      name: 'verdict_persist_seconds',
      help: 'Duration of one persisting statement',
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
      registers,
    }),
    rollupLagSeconds: new Histogram({
      name: 'verdict_rollup_lag_seconds',
      help: 'From a check being queued until it stood in the usage rollups',
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60, 300, 1800],
      registers,
    }),
    queueJobs: new Gauge({
      name: 'verdict_queue_jobs',
      help: 'Jobs of check logs by state',
      labelNames: ['state'],
      registers,
    }),
    queueOldestSeconds: new Gauge({
      name: 'verdict_queue_oldest_seconds',
      help: 'Age of the oldest check log that is not persisted',
      registers,
    }),
    queueAboveHighWater: new Gauge({
      name: 'verdict_queue_above_high_water',
      help: '1 while more jobs wait than the high-water mark',
      registers,
    }),
    deadLetters: new Gauge({
      name: 'verdict_dead_letters',
      help: 'Dead letters that wait for an operator',
      registers,
    }),
    taskAgeSeconds: new Gauge({
      name: 'verdict_duty_age_seconds',
      help: 'How long ago some worker last did a task with success',
      labelNames: ['duty'],
      registers,
    }),
    mails: new Counter({
      name: 'verdict_mails_total',
      help: 'Mails by what became of them: sent, put_off, refused, expired, needless',
      labelNames: ['outcome'],
      registers,
    }),
    mailOldestSeconds: new Gauge({
      name: 'verdict_mail_oldest_seconds',
      help: 'How long the oldest mail waits that no mail server has taken',
      registers,
    }),
  };
}
