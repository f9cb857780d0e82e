import { overdueMonths } from '@verdict/db/billing/billing-months.js';
import type { Database } from '@verdict/db/database/client.js';
import { databaseBytes } from '@verdict/db/database/database-bytes.js';
import { backupAge, readReconciliations, readUnissued } from '@verdict/db/database/observations.js';
import { newestLook } from '@verdict/db/revisions/note-release.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { redisNow } from '@verdict/redis-store/redis-now.js';
import type { MetricsRegistry } from '@verdict/service-kit/registry.js';
import { within } from '@verdict/service-kit/within.js';
import { Gauge } from 'prom-client';

/** With the probes before it, a scrape stays below 2 s while a store is away; Prometheus gives up after 10. */
const READ_MS = 900;

interface Options {
  readonly db: Database;
  readonly redis: RedisConnection;
  readonly graceMs: number;
  /** The size of the disk of Postgres, which Postgres itself cannot say; 0 where it is unknown. */
  readonly diskBytes: number;
}

/**
 * Figures of the whole installation, read from the stores at every scrape: whichever worker had the turn, all say the same,
 * and none is lost with a worker. While a store is away they keep their last value.
 */
export function createBillingGauges(
  registry: MetricsRegistry,
  { db, redis, graceMs, diskBytes }: Options,
): void {
  const readAtScrape = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await within(READ_MS, read()).catch(() => null);
        if (value !== null) this.set(value);
      },
    });
  readAtScrape(
    'verdict_reconcile_differences',
    'Differences that the last reconciliation of each month left unrepaired',
    async () => (await readReconciliations(db)).reduce((sum, { value }) => sum + value.differences, 0),
  );
  readAtScrape(
    'verdict_billing_months_overdue',
    'Months that should have been closed and are not',
    async () => (await overdueMonths(db, await redisNow(redis), graceMs)).length,
  );
  for (const state of ['ready', 'stopped'] as const) {
    readAtScrape(
      state === 'ready' ? 'verdict_invoices_unissued' : 'verdict_invoices_stopped',
      state === 'ready'
        ? 'Invoices of closed months that are to be issued, as the last issuing counted them'
        : 'Invoices of closed months that wait: on hold, or without what an invoice needs',
      async () => (await readUnissued(db))?.value[state] ?? 0,
    );
  }
  readAtScrape(
    'verdict_second_look_stuck',
    '1 while the newest second look at stored checks waits for an operator, or when it made no progress',
    async () => (/^(held|failed)$/.test((await newestLook(db))?.status ?? '') ? 1 : 0),
  );
  readAtScrape(
    'verdict_backup_age_seconds',
    'Seconds since the last `verdict backup`; 0 where none was taken',
    () => backupAge(db),
  );
  readAtScrape('verdict_postgres_bytes', 'Size of the database', () => databaseBytes(db));
  new Gauge({
    name: 'verdict_postgres_disk_bytes',
    help: 'Size of the disk of Postgres (POSTGRES_DISK_GB); 0 where it is not set',
    registers: [registry],
  }).set(diskBytes);
}
