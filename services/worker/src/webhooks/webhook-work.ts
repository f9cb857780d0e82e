import type { Database } from '@verdict/db/database/client.js';
import {
  claimDueDeliveries,
  hasDueDeliveries,
  type OutgoingWebhook,
} from '@verdict/db/webhooks/webhook-outbox.js';
import { QUEUES } from '@verdict/db/work/queues.js';
import type { Work } from '@verdict/db/work/run-work.js';
import { CIRCUIT_FAILURES } from '@verdict/domain/webhook-schedule.js';

/** Places of any message. The others are for first messages to endpoints that answer quickly. */
const SHARED_PLACES = QUEUES.webhooks.places / 2;
const PER_ACCOUNT_MAX = 8;

/** Sends what is due. A message stays leased until its outcome is noted, so one of a worker that died is sent again. */
export const webhookWork = (db: Database, deliver: Work<OutgoingWebhook>['run']): Work<OutgoingWebhook> => ({
  queue: QUEUES.webhooks,
  async take(free) {
    if (!(await hasDueDeliveries(db))) return [];
    return claimDueDeliveries(db, {
      free,
      shared: Math.max(0, SHARED_PLACES - (QUEUES.webhooks.places - free)),
      perAccountMax: PER_ACCOUNT_MAX,
      circuitFailures: CIRCUIT_FAILURES,
    });
  },
  run: deliver,
});
