import { LIST_NAMES } from '@verdict/contracts/account-list.js';
import {
  DatasetsReplySchema,
  ListPageQuerySchema,
  ListPageReplySchema,
} from '@verdict/contracts/dashboard/lists-api.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { CsvReplySchema } from '../../http/csv-reply.js';
import { errorReplies } from '../../http/error-replies.js';
import { pageOf } from '../../http/page-of.js';
import { planOf } from '../../http/plan-of.js';
import { everyRow, sendCsv } from '../../http/send-csv.js';

const EXPORT_PAGE_SIZE = 500;

export function readListsRoutes(app: ControlPlaneApp, { cursors, scoring, plans }: Dependencies): void {
  for (const list of LIST_NAMES) {
    app.get(
      `/lists/${list}/`,
      {
        schema: {
          tags: ['lists'],
          summary: `The entries of the ${list} list, newest first`,
          description: 'Pages with `limit` and `cursor`; `search` finds values by their beginning.',
          querystring: ListPageQuerySchema,
          response: { 200: ListPageReplySchema, ...errorReplies(400, 401) },
        },
      },
      async (request) => {
        const { account } = request.caller;
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
          success: true as const,
          entries: rows,
          total,
          entries_max,
          ...paging,
        };
      },
    );

    app.get(
      `/lists/${list}/export.csv`,
      {
        schema: {
          tags: ['lists'],
          summary: `The whole ${list} list as CSV`,
          description: 'Import the same file elsewhere with `POST …/import/`.',
          response: { 200: CsvReplySchema, ...errorReplies(400, 401) },
        },
      },
      async (request, reply) => {
        const { lists } = request.caller.account;
        const rows = everyRow(EXPORT_PAGE_SIZE, (before, countMax) => lists.page(list, { before, countMax }));
        return sendCsv(
          reply,
          `${list}-list.csv`,
          ['value', 'kind', 'match', 'note', 'expires_at', 'created_at'],
          rows,
        );
      },
    );
  }

  app.get(
    '/lists/datasets/',
    {
      schema: {
        tags: ['lists'],
        summary: 'The versions of the loaded datasets, as in GET /status/',
        description: 'Changes when an operator loads newer data.',
        response: { 200: DatasetsReplySchema, ...errorReplies(401) },
      },
    },
    async () => {
      const datasets = await scoring.datasets().catch((error) => {
        throw unavailable('scoring', error);
      });
      return { success: true as const, datasets };
    },
  );
}
