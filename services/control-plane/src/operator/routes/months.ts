import { OPERATOR_ROUTES } from '@verdict/contracts/routes/operator-routes.js';
import {
  type BillingLine,
  listBillingLines,
  listOperatorMonths,
} from '@verdict/db/accounts/operator-reading.js';
import { maskedName } from '@verdict/domain/masked-name.js';
import { isMonth } from '@verdict/domain/month.js';
import { attach } from '@verdict/service-kit/attach.js';
import { notFound } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
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

  attach(app, OPERATOR_ROUTES.months, async () => ({
    success: true,
    months: await listOperatorMonths(db, MONTHS_SHOWN),
  }));

  attach(app, OPERATOR_ROUTES.monthStatementsCsv, async (request, reply) => {
    const { month } = request.params;
    const first = isMonth(month) ? await listBillingLines(db, month, '', CSV_PAGE_SIZE) : [];
    if (first.length === 0) throw notFound('There are no statements for this month.');
    await noteAct(deps, request, 'operator.statements_exported', month);
    return sendCsv(reply, `statements-${month}.csv`, CSV_COLUMNS, everyLine(month, first));
  });

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
