import { overdueMonths } from '@verdict/db/billing-months.js';
import { issueInvoices } from '@verdict/db/invoices.js';
import { noteObservation, reconciliationOf } from '@verdict/db/observations.js';
import { ensurePartitions } from '@verdict/db/partitions.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { closeMonths } from '@verdict/metering/close-months.js';
import { enforceRetention } from '@verdict/metering/enforce-retention.js';
import type { Metering } from '@verdict/metering/metering.js';
import { type Difference, reconcile } from '@verdict/metering/reconcile.js';
import { redisNow } from '@verdict/metering/redis-now.js';
import { sweep } from '@verdict/metering/sweep.js';
import type { Duty } from '@verdict/queues/maintenance.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { Config } from './config.js';
import type { WorkerMetrics } from './metrics.js';

const HOUR_MS = 3_600_000;
/** Partitions that exist before they are needed: a worker that was away for weeks still finds them. */
const MONTHS_AHEAD = 2;

/** What the worker does by the clock. Each turn is taken by one worker; each may be repeated without harm. */
export function createDuties(
  metering: Metering,
  config: Config,
  metrics: WorkerMetrics,
  log: Logger,
): Duty[] {
  const { db, redis } = metering;
  const observeMonths = async () => {
    const overdue = await overdueMonths(db, await redisNow(redis), config.CLOSE_GRACE_HOURS * HOUR_MS);
    metrics.monthsOverdue.set(overdue.length);
  };
  return [
    {
      name: 'partitions',
      when: { everyMs: HOUR_MS },
      async run() {
        const month = monthOf(new Date(await redisNow(redis)));
        const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => addMonths(month, ahead));
        await ensurePartitions(db, months);
        await observeMonths();
      },
    },
    {
      name: 'sweep',
      when: { everyMs: config.SWEEP_EVERY_SECONDS * 1000 },
      async run() {
        const swept = await sweep(metering, config.SWEEP_AGE_SECONDS * 1000);
        for (const [outcome, count] of Object.entries(swept)) {
          if (outcome !== 'left') metrics.swept.inc({ outcome }, count);
        }
        if (swept.settled + swept.refunded > 0) log.warn(swept, 'old reservations were swept');
      },
    },
    {
      name: 'close',
      when: { cron: '5 * * * *' },
      async run() {
        const graceMs = config.CLOSE_GRACE_HOURS * HOUR_MS;
        for (const closing of await closeMonths(metering, { plans: config.plans, graceMs })) {
          if (closing.outcome === 'closed') log.info(closing, 'billing month closed');
          else log.warn(closing, 'billing month cannot be closed yet');
        }
        const issued = await issueInvoices(db);
        if (issued > 0) log.info({ issued }, 'invoices issued');
        await observeMonths();
      },
    },
    {
      name: 'reconcile',
      when: { cron: '15 3 * * *' },
      async run() {
        const month = monthOf(new Date(await redisNow(redis)));
        const found: Difference[] = [];
        for (const each of [addMonths(month, -1), month]) {
          const differences = await reconcile(metering, each, 'counters');
          const repaired = differences.filter((difference) => difference.repaired).length;
          const seen = { differences: differences.length - repaired, repaired };
          await noteObservation(db, reconciliationOf(each), seen);
          found.push(...differences);
        }
        metrics.differences.set(found.length);
        for (const difference of found) log.error(difference, 'reconciliation found a difference');
        log.info({ differences: found.length }, 'reconciled');
      },
    },
    {
      name: 'retention',
      when: { cron: '45 3 * * *' },
      async run() {
        const retained = await enforceRetention(metering, config.plans, await redisNow(redis));
        log.info(retained, 'retention enforced');
      },
    },
  ];
}
