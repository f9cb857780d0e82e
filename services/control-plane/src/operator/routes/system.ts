import { OPERATOR_ROUTES } from '@verdict/contracts/routes/operator-routes.js';
import { countUnprojected, nameAccounts } from '@verdict/db/accounts/operator-reading.js';
import {
  readClosing,
  readQueueObservation,
  readReconciliations,
  readUnissued,
} from '@verdict/db/database/observations.js';
import { listClientsInUse } from '@verdict/db/keys/client-uses.js';
import { maskedName } from '@verdict/domain/masked-name.js';
import { topAccounts } from '@verdict/redis-store/account-load.js';
import { attach } from '@verdict/service-kit/attach.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';

const TOP_SHOWN = 10;

/** How the service is doing, in the words of people who run it. Metrics say it to machines. */
export function operatorSystemRoute(app: ControlPlaneApp, { db, redis, scoring }: Dependencies): void {
  attach(app, OPERATOR_ROUTES.system, async () => {
    const [queue, closing, unissued, reconciliations, projections_waiting, datasets, top, clients] =
      await Promise.all([
        readQueueObservation(db),
        readClosing(db),
        readUnissued(db),
        readReconciliations(db),
        countUnprojected(db),
        scoring.datasets().catch(() => null),
        topAccounts(redis, TOP_SHOWN).catch(() => null),
        listClientsInUse(db),
      ]);
    const names = new Map(
      (await nameAccounts(db, top?.map(({ accountId }) => accountId) ?? [])).map((row) => [row.id, row]),
    );
    return {
      success: true,
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
      top_accounts:
        top?.map(({ accountId, answered, refused }) => ({
          id: accountId,
          name: maskedName(names.get(accountId)?.name ?? accountId),
          plan: names.get(accountId)?.plan ?? null,
          answered,
          refused,
        })) ?? null,
      clients,
    };
  });
}
