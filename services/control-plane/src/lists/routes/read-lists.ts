import { LIST_ROUTES } from '@verdict/contracts/routes/list-routes.js';
import { LIST_NAMES } from '@verdict/domain/account-list.js';
import { attach } from '@verdict/service-kit/attach.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { downloadTurns } from '../../http/download-turns.js';
import { pageOf } from '../../http/page-of.js';
import { planOf } from '../../http/plan-of.js';
import { everyRow, sendCsv } from '../../http/send-csv.js';

const EXPORT_PAGE_SIZE = 500;

export function readListsRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { cursors, scoring, plans } = deps;
  for (const list of LIST_NAMES) {
    attach(app, LIST_ROUTES[list].page, async (request) => {
      const { account } = request.keyCaller;
      const { query } = request;
      const { rows, ...paging } = await pageOf(
        { cursors, listing: `lists/${list}`, accountId: account.id, query },
        (before, countMax) =>
          account.lists.page(list, {
            before,
            countMax,
            ...(query.search !== undefined && { beginsWith: query.search.trim().toLowerCase() }),
          }),
      );
      const total = await account.lists.count(list);
      const { listEntries: entries_max } = await planOf(plans, account);
      return {
        success: true,
        entries: rows,
        total,
        entries_max,
        ...paging,
      };
    });

    attach(app, LIST_ROUTES[list].exportCsv, async (request, reply) => {
      const { lists, id } = request.keyCaller.account;
      const rows = everyRow(
        EXPORT_PAGE_SIZE,
        (before, countMax) => lists.page(list, { before, countMax }),
        downloadTurns(deps, id, reply),
      );
      return sendCsv(
        reply,
        `${list}-list.csv`,
        ['value', 'kind', 'match', 'note', 'expires_at', 'created_at'],
        rows,
      );
    });
  }

  attach(app, LIST_ROUTES.datasets, async () => {
    const datasets = await scoring.datasets().catch((error) => {
      throw unavailable('scoring', error);
    });
    return { success: true, datasets };
  });
}
