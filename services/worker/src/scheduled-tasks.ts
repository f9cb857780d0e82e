import { randomFillSync } from 'node:crypto';
import { tellOfQuotas } from '@verdict/db/billing/quota-events.js';
import { countStopped } from '@verdict/db/billing/unissued-invoices.js';
import { ensurePartitions } from '@verdict/db/checks/partitions.js';
import type { Database } from '@verdict/db/database/client.js';
import { databaseNow } from '@verdict/db/database/database-now.js';
import { noteReconciliation } from '@verdict/db/database/observations.js';
import { archiveInThread } from '@verdict/db/facts/archive-in-thread.js';
import { deleteWebhookEventsBefore } from '@verdict/db/webhooks/webhook-retention.js';
import { createIdFactory } from '@verdict/domain/id.js';
import { addMonths, monthOf } from '@verdict/domain/month.js';
import { agreedNow } from '@verdict/metering/agreed-now.js';
import { closeMonths } from '@verdict/metering/close-months.js';
import type { Difference } from '@verdict/metering/difference.js';
import { enforceRetention } from '@verdict/metering/enforce-retention.js';
import { forgetDepartedDeadLetters } from '@verdict/metering/forget-departed-dead-letters.js';
import { issueInvoices } from '@verdict/metering/issue-invoices.js';
import type { Metering } from '@verdict/metering/metering.js';
import { pendingSince } from '@verdict/metering/pending-of-month.js';
import { reconcileNew } from '@verdict/metering/reconcile-new.js';
import type { ScheduledTask } from '@verdict/metering/run-tasks.js';
import { forgetIdle } from '@verdict/redis-store/forget-idle.js';
import { redisNow } from '@verdict/redis-store/redis-now.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { WorkerConfig } from './config.js';
import { updateDatasetsOnce } from './datasets/update-datasets-once.js';
import { mailSealer } from './mail/mail-sealer.js';
import { queueInvoiceMails } from './mail/queue-invoice-mails.js';
import { queueUsageMails } from './mail/queue-usage-mails.js';
import { noteReleases } from './second-look/note-releases.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RELEASES_EVERY_MS = 60_000;
const QUOTA_EVERY_MS = 600_000;
/** Partitions that exist before they are needed: a worker that was away for weeks still finds them. */
const MONTHS_AHEAD = 2;

/** The scheduled tasks of the worker. One worker takes each turn, and repeating it is harmless. */
export function createTasks(
  metering: Metering,
  config: WorkerConfig,
  log: Logger,
  signal: AbortSignal,
): ScheduledTask[] {
  const { db, redis } = metering;
  const sealer = mailSealer(config);
  return [
    {
      name: 'partitions',
      everyMs: HOUR_MS,
      async run() {
        const month = monthOf(new Date(await redisNow(redis)));
        const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_, ahead) => addMonths(month, ahead));
        await ensurePartitions(db, months);
      },
    },
    {
      name: 'close',
      everyMs: HOUR_MS,
      async run() {
        const graceMs = config.CLOSE_GRACE_HOURS * HOUR_MS;
        for (const closing of await closeMonths(metering, { plans: config.plans, graceMs })) {
          if (closing.outcome === 'closed') log.info(closing, 'billing month closed');
          else log.warn(closing, 'billing month cannot be closed yet');
        }
        const today = new Date(await agreedNow(metering));
        const issued = await issueInvoices(db, today);
        if (issued > 0) log.info({ issued }, 'invoices issued');
        for (const stopped of await countStopped(db)) log.warn(stopped, 'invoices wait');
        if (sealer) {
          const mails = await queueInvoiceMails(db, sealer, today);
          if (mails > 0) log.info({ mails }, 'mails about invoices queued');
        }
      },
    },
    {
      name: 'reconcile',
      everyMs: DAY_MS,
      async run() {
        const now = new Date(await redisNow(redis));
        const month = monthOf(now);
        const found: Difference[] = [];
        for (const each of [addMonths(month, -1), month]) {
          const beganAtMs = await databaseNow(db);
          const differences = await reconcileNew(metering, each, now);
          await noteReconciliation(db, each, beganAtMs, differences);
          found.push(...differences);
        }
        for (const difference of found) log.error(difference, 'reconciliation found a difference');
        log.debug({ differences: found.length }, 'reconciled');
      },
    },
    {
      name: 'retention',
      everyMs: DAY_MS,
      async run() {
        const now = await agreedNow(metering);
        const retained = await enforceRetention(metering, config.plans, now, config.AUDIT_IP_DAYS);
        const letters = await forgetDepartedDeadLetters(metering);
        const cutoff = new Date(now - config.WEBHOOK_RETENTION_DAYS * DAY_MS);
        const deletedEvents = await deleteWebhookEventsBefore(db, cutoff);
        const forgot = retained.deletedChecks > 0 || retained.droppedMonths.length > 0 || deletedEvents > 0;
        log[forgot ? 'info' : 'debug']({ ...retained, letters, deletedEvents }, 'retention enforced');
      },
    },
    {
      // Each worker reports the checks that it wrote; this covers a worker that died before.
      name: 'quotas',
      everyMs: QUOTA_EVERY_MS,
      async run() {
        const month = monthOf(new Date(await redisNow(redis)));
        await tellOfQuotas(db, config.plans, month);
        if (!sealer) return;
        const mails = await queueUsageMails(db, sealer, config.plans, month);
        if (mails > 0) log.info({ mails }, 'mails about usage queued');
      },
    },
    {
      name: 'idle',
      everyMs: HOUR_MS,
      async run() {
        const forgotten = await forgetIdle(metering);
        if (forgotten > 0) log.info({ forgotten }, 'accounts without a check for a day left Redis');
      },
    },
    ...archiveTasks(metering, config, log, signal),
    ...datasetsTasks(db, config, log),
  ];
}

/** Only where there is a folder to write to. A stop ends it where it is. */
function archiveTasks(
  metering: Metering,
  { FACTS_DIR: folder, FACTS_HOT_DAYS: hotDays, DATABASE_URL: databaseUrl }: WorkerConfig,
  log: Logger,
  signal: AbortSignal,
): ScheduledTask[] {
  if (folder === undefined) return [];
  const run = async () => {
    const before = new Date((await agreedNow(metering)) - hotDays * DAY_MS);
    const options = { databaseUrl, before, folder, pendingSince: await pendingSince(metering) };
    await archiveInThread(options, signal, (archived) => {
      if (archived.written.length > 0 || archived.kept === null) log.info(archived, 'checks archived');
    });
  };
  return [{ name: 'archive', everyMs: HOUR_MS, run }];
}

/** Only where there is a folder to publish in. A release comes from the schedule or from an operator's hand. */
function datasetsTasks(db: Database, config: WorkerConfig, log: Logger): ScheduledTask[] {
  const { DATASETS_DIR: directory, DATASETS_UPDATE_HOURS: hours } = config;
  if (directory === undefined) return [];
  const createId = createIdFactory(Date.now, randomFillSync);
  const noting = {
    name: 'releases',
    everyMs: RELEASES_EVERY_MS,
    run: () => noteReleases({ db, directory, createId, log }),
  };
  if (hours === 0) return [noting];
  const run = () => updateDatasetsOnce(config, directory, log);
  return [{ name: 'datasets', everyMs: hours * HOUR_MS, run }, noting];
}
