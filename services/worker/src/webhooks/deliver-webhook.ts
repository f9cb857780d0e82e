import type { Database } from '@verdict/db/database/client.js';
import { settleDelivered, settleFailed } from '@verdict/db/webhooks/settle-delivery.js';
import type { OutgoingWebhook } from '@verdict/db/webhooks/webhook-outbox.js';
import type { Work } from '@verdict/db/work/run-work.js';
import type { CreateId } from '@verdict/domain/id.js';
import type { Sealer } from '@verdict/domain/sealed-text.js';
import { signWebhook } from '@verdict/domain/sign-webhook.js';
import { webhookBody } from '@verdict/domain/webhook-body.js';
import { circuitPauseMs, retryDelayMs } from '@verdict/domain/webhook-schedule.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { Answered, Posted } from './send-webhook.js';
import type { WebhookMetrics } from './webhook-metrics.js';

interface Dependencies {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly createId: CreateId;
  readonly send: (posted: Posted) => Promise<Answered>;
  /** Ended: the worker stops, and what it was sending goes to the next. */
  readonly signal: AbortSignal;
  readonly retrySeconds: readonly number[];
  /** The time on which all clocks agree; throws while they do not. */
  readonly agreedNow: () => Promise<number>;
  readonly metrics: WebhookMetrics;
  readonly log: Logger;
}

const GONE = 410;
const FAILING_DAYS_MAX = 5;

/** From a leased message to an outcome in Postgres. Dying before that sends it again, with the same id. */
export function createWebhookDelivery(dependencies: Dependencies): Work<OutgoingWebhook>['run'] {
  const { db, sealer, createId, send, signal, retrySeconds, agreedNow, metrics, log } = dependencies;

  function compose(outgoing: OutgoingWebhook): Posted {
    const { endpoint_id: endpointId, event_id: id, secret, old_secret: old } = outgoing;
    const body = JSON.stringify(webhookBody(outgoing));
    const opened = [secret, ...(old === null ? [] : [old])].map((one) => {
      const text = sealer.open(one, endpointId);
      if (text === null) throw new Error(`the secret of ${endpointId} cannot be opened with SECRETS_KEY`);
      return text;
    });
    const timestampSeconds = Math.floor(Date.now() / 1000);
    return {
      url: outgoing.url,
      body,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Verdict-Webhooks',
        ...signWebhook(opened, { id, timestampSeconds, body }),
      },
    };
  }

  async function fail(outgoing: OutgoingWebhook, answered: Answered): Promise<void> {
    const tried = outgoing.attempts - outgoing.attempts_before + 1;
    const audit = {
      id: createId('aud'),
      userId: null,
      ip: null,
      requestId: null,
      action: 'webhook.disabled',
      target: outgoing.endpoint_id,
    };
    const isDisabled = await settleFailed(
      db,
      outgoing,
      {
        ...answered,
        retryInMs: retryDelayMs(tried, retrySeconds, answered.retryAfterSeconds, Math.random),
        pauseMs: circuitPauseMs(outgoing.failures + 1, Math.random),
        isGone: answered.responseStatus === GONE,
        failingDaysMax: FAILING_DAYS_MAX,
        now: await agreedNow().then(
          (ms) => new Date(ms),
          () => null,
        ),
      },
      audit,
    );
    if (!isDisabled) return;
    metrics.disabled.inc();
    const { account_id: accountId, endpoint_id: endpointId } = outgoing;
    log.warn({ accountId, endpointId, status: answered.responseStatus }, 'webhook endpoint disabled');
  }

  return async (outgoing) => {
    const answered = await send(compose(outgoing)).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return null;
    });
    if (answered === null) return 0;
    metrics.attempts.inc({ outcome: answered.error === null ? 'delivered' : 'failed' });
    metrics.attemptSeconds.observe(answered.durationMs / 1000);
    if (answered.error === null) await settleDelivered(db, outgoing, answered);
    else await fail(outgoing, answered);
    return null;
  };
}
