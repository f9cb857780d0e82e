import { DROPPED_IPS_HEADER } from '@verdict/contracts/client-uses.js';
import { clientOf } from '@verdict/service-kit/client-of.js';
import type { OnAnswered } from '@verdict/service-kit/follow-requests.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { Step, Tracing } from '@verdict/telemetry/tracing.js';
import type { FastifyRequest } from 'fastify';
import type { AccountLoad } from './account-load.js';
import { accountOf } from './account-of.js';
import type { KeyUses } from './key-uses.js';
import { perSecond } from './per-second.js';
import { logSlowAnswer } from './slow-answers.js';
import { stagesOf } from './stages.js';

interface Options {
  readonly log: Logger;
  readonly slowMs: number;
  readonly load: Pick<AccountLoad, 'note'>;
  readonly keyUses: Pick<KeyUses, 'note'>;
  /** Undefined where traces are off. */
  readonly traced?: {
    readonly tracing: Tracing;
    readonly stepOf: (request: FastifyRequest) => Step | undefined;
  };
}

/** Of lines, and of traces that no sampler chose. */
const KEPT_A_SECOND_MAX = 20;
const TRACEPARENT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/**
 * Counts every answer for its account and its key, with the client of a check, logs slow answers by stage and keeps the
 * traces of slow and failed ones. The usual answer costs three looks into maps.
 */
export function observeAnswers({ log, slowMs, load, keyUses, traced }: Options): OnAnswered {
  const mayKeep = perSecond(KEPT_A_SECOND_MAX, (times) =>
    log.warn({ times }, 'more answers were slow or failed'),
  );
  return (request, status, beganAtMs, endedAtMs) => {
    const accountId = accountOf(request);
    if (accountId !== undefined) load.note(accountId, request.stages?.checks ?? 1, status);
    noteUse(request, status, keyUses);
    const step = traced?.stepOf(request);
    const isSampled = step !== undefined && step.traceparent !== null;
    const isSlow = endedAtMs - beganAtMs >= slowMs;
    if ((!isSlow && status < 500) || !mayKeep(endedAtMs)) return isSampled ? step.traceId : undefined;
    const stages = stagesOf(request.stages, beganAtMs, endedAtMs);
    if (isSlow) {
      const traceId = step?.traceId ?? traceOfClient(request);
      logSlowAnswer(log, { request, status, tookMs: endedAtMs - beganAtMs, stages, traceId });
    }
    if (!step) return undefined;
    if (!isSampled) {
      const { method, id, headers } = request;
      const { url: route = 'none' } = request.routeOptions;
      traced?.tracing.keep(step, {
        kind: 'server',
        name: `${method} ${route}`,
        parent: headers.traceparent as string | undefined,
        beganAtMs,
        endedAtMs,
        attributes: {
          'http.request.method': method,
          'http.route': route,
          'http.response.status_code': status,
          'verdict.request_id': id,
          'verdict.kept': isSlow ? 'slow' : 'failed',
        },
        failure: status >= 500 ? `answered ${status}` : undefined,
        parts: stages,
      });
    }
    return step.traceId;
  };
}

function noteUse(request: FastifyRequest, status: number, keyUses: Options['keyUses']): void {
  const { credentials, stages, headers } = request;
  if (!credentials?.key) return;
  const ip = clientOf(request);
  if (!stages || status >= 400) {
    keyUses.note(credentials.key, ip);
    return;
  }
  const dropped = headers[DROPPED_IPS_HEADER];
  // A client may write anything there, but it cannot have left out more than it sent.
  const droppedIps = dropped === undefined ? 0 : Math.min(readCount(dropped), stages.checks);
  keyUses.note(credentials.key, ip, headers['user-agent'], droppedIps);
}

const readCount = (text: string | string[]): number => (/^\d{1,4}$/.test(String(text)) ? Number(text) : 0);

/** The client's own trace finds the line even where this service records none. */
const traceOfClient = ({ headers }: FastifyRequest): string | undefined =>
  TRACEPARENT.exec(String(headers.traceparent))?.[1];
