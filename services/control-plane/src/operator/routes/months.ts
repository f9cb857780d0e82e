import { MonthParamsSchema } from '@verdict/contracts/dashboard/billing-api.js';
import { OperatorMonthsReplySchema } from '@verdict/contracts/dashboard/operator-api.js';
import {
  type BillingLine,
  listBillingLines,
  listOperatorMonths,
} from '@verdict/db/accounts/operator-reading.js';
import { maskedName } from '@verdict/domain/masked-name.js';
import { isMonth } from '@verdict/domain/month.js';
import { notFound } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { CsvReplySchema } from '../../http/csv-reply.js';
import { errorReplies } from '../../http/error-replies.js';
import { sendCsv } from '../../http/send-csv.js';
import { noteAct } from '../operator-acts.js';

const MONTHS_SHOWN = 24;
const CSV_PAGE_SIZE = 500;
const CSV_COLUMNS = [
  'month',
  'account_id',
  'account_name',
  'plan',
  'entitled',
  'used',
  'adjusted',
  'over',
  'currency',
  'subtotal',
  'tax',
  'total',
  'closed_at',
  'checksum',
];

export function operatorMonthRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { db } = deps;

  app.get(
    '/operator/months/',
    {
      schema: {
        tags: ['operator'],
        summary: 'Billing months with their totals, newest first',
        description: 'With totals and state.',
        response: { 200: OperatorMonthsReplySchema, ...errorReplies(401, 403) },
      },
    },
    async () => ({ success: true as const, months: await listOperatorMonths(db, MONTHS_SHOWN) }),
  );

  app.get(
    '/operator/months/:month/statements.csv',
    {
      schema: {
        tags: ['operator'],
        summary: 'Every statement of a closed month as CSV, for billing',
        description: 'Every account with a statement is in it.',
        params: MonthParamsSchema,
        response: { 200: CsvReplySchema, ...errorReplies(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { month } = request.params;
      const first = isMonth(month) ? await listBillingLines(db, month, '', CSV_PAGE_SIZE) : [];
      if (first.length === 0) throw notFound('There are no statements for this month.');
      await noteAct(deps, request, 'operator.statements_exported', month);
      return sendCsv(reply, `statements-${month}.csv`, CSV_COLUMNS, everyLine(month, first));
    },
  );

  async function* everyLine(month: string, first: readonly BillingLine[]) {
    let page = first;
    for (;;) {
      for (const line of page) yield { ...line, account_name: maskedName(line.account_name) };
      const last = page.at(-1);
      if (!last || page.length < CSV_PAGE_SIZE) return;
      page = await listBillingLines(db, month, last.account_id, CSV_PAGE_SIZE);
    }
  }
}
