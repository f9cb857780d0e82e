import { OperatorSystemReplySchema } from '@verdict/contracts/dashboard/operator-api.js';
import { countUnprojected } from '@verdict/db/accounts/operator-reading.js';
import {
  readClosing,
  readQueueObservation,
  readReconciliations,
  readUnissued,
} from '@verdict/db/database/observations.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';

/** How the service is doing, in the words of people who run it. Metrics say it to machines. */
export function operatorSystemRoute(app: ControlPlaneApp, { db, scoring }: Dependencies): void {
  app.get(
    '/operator/system/',
    {
      schema: {
        tags: ['operator'],
        summary: 'Queue, dead letters, month end, reconciliation and data',
        description: 'The same figures as the operator pages show.',
        response: { 200: OperatorSystemReplySchema, ...errorReplies(401, 403) },
      },
    },
    async () => {
      const [queue, closing, unissued, reconciliations, projections_waiting, datasets] = await Promise.all([
        readQueueObservation(db),
        readClosing(db),
        readUnissued(db),
        readReconciliations(db),
        countUnprojected(db),
        scoring.datasets().catch(() => null),
      ]);
      return {
        success: true as const,
        queue: queue && {
          waiting: queue.value.waiting,
          active: queue.value.active,
          delayed: queue.value.delayed,
          failed: queue.value.failed,
          oldest_seconds: queue.value.oldestSeconds === null ? null : Math.round(queue.value.oldestSeconds),
          dead_letters: queue.value.deadLetters,
          observed_at: queue.observed_at,
          age_seconds: queue.age_seconds,
        },
        closing: closing && { ...closing.value, age_seconds: closing.age_seconds },
        unissued: unissued && { ...unissued.value, age_seconds: unissued.age_seconds },
        projections_waiting,
        reconciliations: reconciliations.map(({ name, value, observed_at, age_seconds }) => ({
          month: name,
          ran_at: observed_at,
          age_seconds,
          ...value,
        })),
        datasets,
      };
    },
  );
}
