import { LOG_ROUTES } from '@verdict/contracts/routes/log-routes.js';
import type { LogRow } from '@verdict/db/checks/log-search.js';
import { GROUPS_MAX, stepOfPeriod } from '@verdict/domain/check-groups.js';
import { attach } from '@verdict/service-kit/attach.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { ownId } from '../../http/own-id.js';
import { pageOf } from '../../http/page-of.js';
import { sendCsv } from '../../http/send-csv.js';
import { everyCheck } from '../every-check.js';
import { findCheck } from '../find-check.js';
import { toLogFilter } from '../log-filter.js';

const DAY_MS = 86_400_000;
/** The period of groups for which none is given. */
const GROUPED_DAYS = 30;
const CSV_COLUMNS = [
  'id',
  'created_at',
  'email',
  'ip',
  'decision',
  'risk_score',
  'disposable_email',
  'mx_valid',
  'free_provider',
  'reasons',
  'key_id',
  'mode',
  'outcome',
  'tag',
];

export function logRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { config, cursors, search } = deps;
  attach(app, LOG_ROUTES.list, async (request, reply) => {
    const { account } = request.caller;
    const wait = { signal: whileOpen(reply) };
    const filter = toLogFilter(request.query, config.EMAIL_HASH_SECRET);
    const { rows, ...paging } = await pageOf(
      { cursors, listing: 'logs', accountId: account.id, query: request.query },
      (before, countMax) => search(account.id, ({ logs }) => logs.page(filter, before, countMax), wait),
    );
    return { success: true, logs: rows, ...paging };
  });

  attach(app, LOG_ROUTES.groups, async (request, reply) => {
    const { account } = request.caller;
    const { by, ...query } = request.query;
    const given = toLogFilter(query, config.EMAIL_HASH_SECRET);
    const { to = new Date().toISOString() } = given;
    const { from = new Date(Date.parse(to) - GROUPED_DAYS * DAY_MS).toISOString() } = given;
    const asked = {
      by,
      filter: { ...given, from, to },
      step: stepOfPeriod(from, to),
      countMax: GROUPS_MAX,
    };
    const counts = await search(account.id, ({ groups }) => groups.counts(asked), {
      signal: whileOpen(reply),
    });
    return { success: true, ...counts, groups: [...counts.groups] };
  });

  attach(app, LOG_ROUTES.bursts, async (request) => ({
    success: true,
    bursts: await request.caller.account.bursts.list(),
  }));

  attach(app, LOG_ROUTES.find, async (request, reply) => {
    const id = ownId('log', request.params.id);
    const wait = { signal: whileOpen(reply) };
    return { success: true, log: await findCheck(deps, request.caller.account, id, wait) };
  });

  attach(app, LOG_ROUTES.csv, async (request, reply) => {
    const filter = toLogFilter(request.query, config.EMAIL_HASH_SECRET);
    const rows = everyCheck(deps, request.caller.account.id, filter, whileOpen(reply));
    return sendCsv(reply, 'checks.csv', CSV_COLUMNS, flatten(rows));
  });
}

async function* flatten(rows: AsyncIterable<LogRow>) {
  for await (const { signals, reasons, ...row } of rows) {
    yield {
      ...row,
      disposable_email: String(signals.disposable_email),
      mx_valid: String(signals.mx_valid),
      free_provider: String(signals.free_provider),
      reasons: reasons.join('; '),
    };
  }
}
