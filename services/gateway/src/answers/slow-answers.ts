import type { Logger } from '@verdict/service-kit/logger.js';
import type { FastifyRequest } from 'fastify';
import { accountOf } from './account-of.js';
import type { Stage } from './stages.js';

export interface SlowAnswer {
  readonly request: FastifyRequest;
  readonly status: number;
  readonly tookMs: number;
  readonly stages: readonly Stage[];
  readonly traceId: string | undefined;
}

/** Logs one line for an answer above the threshold, with its time by stage. */
export function logSlowAnswer(log: Logger, { request, status, tookMs, stages, traceId }: SlowAnswer): void {
  const times = stages.map(({ name, beganAtMs, endedAtMs }) => [`${name}Ms`, round(endedAtMs - beganAtMs)]);
  log.warn(
    {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      status,
      accountId: accountOf(request),
      keyId: request.credentials?.key?.keyId,
      checks: request.stages?.checks,
      tookMs: round(tookMs),
      ...Object.fromEntries(times),
      traceId,
    },
    'answer was slow',
  );
}

const round = (ms: number): number => Math.round(ms * 10) / 10;
