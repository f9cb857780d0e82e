import type { Statement } from '../../api/billing.ts';
import { formatAmount, formatCount, formatMoney } from '../../ui/format/format.ts';
import { Section } from '../../ui/page/Section.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import classes from './StatementPage.module.css';
import { STATEMENT_TEXTS as TEXTS } from './texts.ts';

type Line = Statement['lines'][number];

function describe(line: Line, currency: string): string {
  if (line.kind === 'plan') return `Plan ${line.plan}, ${line.days} of ${line.month_days} days`;
  if (line.kind === 'plan_checks') {
    const text = `${formatCount(line.checks)} checks above the pro rata share of ${line.plan}`;
    return line.month ? `${text} (${TEXTS.lateLine(line.month)})` : text;
  }
  if (line.kind === 'overage') {
    const text = TEXTS.overageLine(formatCount(line.checks), formatMoney(line.price_per_1000, currency));
    return line.month ? `${text} (${TEXTS.lateLine(line.month)})` : text;
  }
  if (line.kind === 'discount') {
    const text = `Discount of ${String(line.percent / 100)} %`;
    return line.month ? `${text} (${TEXTS.lateLine(line.month)})` : text;
  }
  if (line.kind === 'carried_forward') return 'Carried forward to the next statement';
  if (line.kind === 'brought_forward') return `Brought forward from ${line.month}`;
  return line.reason;
}

type Priced = Pick<Statement, 'lines' | 'currency' | 'subtotal' | 'tax' | 'tax_rate' | 'total'>;

/** The lines of a statement, or of one to come. Statements that were closed before there were prices have none. */
export function StatementLines({
  statement,
  title = 'Amount due',
  note,
}: {
  statement: Priced;
  title?: string;
  note?: string;
}) {
  const { lines, currency, subtotal, tax, tax_rate: rate, total } = statement;
  if (lines.length === 0) return null;
  return (
    <Section title={title} {...(note !== undefined && { note })}>
      <DataTable
        label={title}
        rows={lines.map((line, index) => ({ line, index }))}
        rowKey={({ index }) => String(index)}
        columns={[
          { name: 'For', render: ({ line }) => describe(line, currency) },
          {
            name: 'Amount',
            width: '130px',
            figure: true,
            render: ({ line }) => formatAmount(line.amount, currency),
          },
        ]}
      />
      <dl className={classes.total}>
        <div>
          <dt>Subtotal</dt>
          <dd>{formatAmount(subtotal, currency)}</dd>
        </div>
        <div>
          <dt>{`Tax, ${rate / 100}%`}</dt>
          <dd>{formatAmount(tax, currency)}</dd>
        </div>
        <div>
          <dt>Total</dt>
          <dd>{formatAmount(total, currency)}</dd>
        </div>
      </dl>
    </Section>
  );
}
