import { BILLING_ROUTES } from '@verdict/contracts/routes/billing-routes.js';
import type { StatementRow } from '@verdict/db/billing/statement-reading.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import { isMonth } from '@verdict/domain/month.js';
import { attach } from '@verdict/service-kit/attach.js';
import { notFound } from '@verdict/service-kit/errors.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { sendCsv } from '../../http/send-csv.js';

const COLUMNS = [
  'month',
  'plan',
  'entitled',
  'used',
  'adjusted',
  'over',
  ...DECISIONS,
  'currency',
  'subtotal',
  'tax_rate',
  'tax',
  'total',
  'closed_at',
  'checksum',
];

/** The closed statements; an open month has none yet. */
export function statementRoutes(app: ControlPlaneApp): void {
  attach(app, BILLING_ROUTES.statements, async (request, reply) => {
    const statements = await request.caller.account.statements.list();
    if (request.query.format === 'csv') return sendStatements(reply, 'statements.csv', statements);
    return { success: true, statements };
  });

  attach(app, BILLING_ROUTES.statement, async (request, reply) => {
    const { month } = request.params;
    const statement = isMonth(month) ? await request.caller.account.statements.find(month) : undefined;
    if (!statement) throw notFound('There is no closed statement for this month.');
    if (request.query.format === 'csv') return sendStatements(reply, `statement-${month}.csv`, [statement]);
    return { success: true, statement };
  });
}

function sendStatements(
  reply: Parameters<typeof sendCsv>[0],
  fileName: string,
  statements: readonly StatementRow[],
): never {
  async function* rows() {
    for (const {
      by_decision,
      by_key: _key,
      by_tag: _tag,
      plans: _plans,
      lines: _lines,
      ...statement
    } of statements) {
      const decisions = Object.fromEntries(DECISIONS.map((name) => [name, by_decision[name] ?? 0]));
      yield { ...statement, ...decisions };
    }
  }
  // The reply types know JSON only; a stream passes them by.
  return sendCsv(reply, fileName, COLUMNS, rows()) as never;
}
