import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Statement, statementsQuery } from '../../api/billing.ts';
import { addressOf } from '../../api/call.ts';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { formatCount, formatMonth } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { BILLING_TEXTS as TEXTS } from './texts.ts';

const COLUMNS: readonly Column<Statement>[] = [
  {
    name: 'Month',
    render: ({ month }) => (
      <Link to="/billing/statements/$month" params={{ month }} data-row="">
        {formatMonth(month)}
      </Link>
    ),
  },
  { name: TEXTS.name, width: '110px', from: 'tablet', render: ({ plan }) => plan },
  {
    name: 'Included',
    width: '110px',
    figure: true,
    from: 'tablet',
    render: ({ entitled }) => formatCount(entitled),
  },
  { name: 'Used', width: '90px', figure: true, render: ({ used }) => formatCount(used) },
  {
    name: 'Adjusted',
    width: '90px',
    figure: true,
    from: 'tablet',
    render: ({ adjusted }) => formatCount(adjusted),
  },
  { name: 'Over quota', width: '128px', figure: true, render: ({ over }) => formatCount(over) },
  { name: 'Closed (UTC)', time: ({ closed_at: at }) => at, exact: true, from: 'desktop' },
];

/** The closed months; `firstDay` is when the first one closes. */
export function Statements({ firstDay }: { firstDay: string }) {
  const statements = useQuery(statementsQuery);
  return (
    <Section
      title="Statements"
      note="One per closed month. Closed statements never change."
      aside={
        statements.data && statements.data.statements.length > 0 ? (
          <DownloadButton
            from={addressOf('GET /billing/statements/', { query: { format: 'csv' } })}
            name="verdict-statements.csv"
            label="Export CSV"
          />
        ) : null
      }
    >
      <Loaded
        query={statements}
        what="the statements"
        rows={3}
        isEmpty={(all) => all.statements.length === 0}
        empty={
          <EmptyState title="No statements yet" text={TEXTS.noStatementsText(firstDay)}>
            <Link to="/billing/usage">See usage</Link>
          </EmptyState>
        }
      >
        {(all) => (
          <DataTable
            label="Statements"
            columns={COLUMNS}
            rows={all.statements}
            rowKey={({ month }) => month}
          />
        )}
      </Loaded>
    </Section>
  );
}
