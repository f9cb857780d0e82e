import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { addressOf } from '../../api/call.ts';
import { type OperatorMonth, operatorMonthsQuery, operatorSystemQuery } from '../../api/operator.ts';
import { SaveFileButton } from '../../ui/file/SaveFileButton.tsx';
import { formatAge, formatCount, formatMoney, formatMonth } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';

const orDash = (value: number | null): string => (value === null ? '–' : formatCount(value));

const COLUMNS: readonly Column<OperatorMonth>[] = [
  { name: 'Month', render: ({ month }) => formatMonth(month) },
  { name: 'Status', width: '60px', phoneWidth: '58px', render: ({ status }) => status },
  {
    name: 'Accounts',
    width: '76px',
    figure: true,
    from: 'desktop',
    render: ({ accounts }) => formatCount(accounts),
  },
  { name: 'Used', width: '76px', figure: true, from: 'tablet', render: ({ used }) => formatCount(used) },
  {
    name: 'Adjusted',
    width: '78px',
    figure: true,
    from: 'wide',
    render: ({ adjusted }) => formatCount(adjusted),
  },
  {
    name: 'Included',
    width: '76px',
    figure: true,
    from: 'wide',
    render: ({ entitled }) => orDash(entitled),
  },
  { name: 'Over quota', width: '98px', figure: true, from: 'tablet', render: ({ over }) => orDash(over) },
  {
    name: 'Total',
    width: '72px',
    figure: true,
    from: 'tablet',
    render: ({ total, currency }) =>
      total === null || currency === null ? '–' : formatMoney(total, currency),
  },
  {
    name: 'Closed (UTC)',
    width: '108px',
    figure: true,
    from: 'wide',
    render: ({ closed_at: at }) => (at ? <Time at={at} day /> : '–'),
  },
  {
    name: 'Documents',
    width: '228px',
    phoneWidth: '152px',
    figure: true,
    quiet: true,
    render: ({ month, status }) => (
      <Group gap={4} justify="flex-end" my={4}>
        <SaveFileButton
          from={addressOf('GET /operator/months/:month/report/', { params: { month } })}
          name={`verdict-${month}.html`}
          label="Report"
          title={`Save the report of ${formatMonth(month)} as HTML`}
        />
        {status === 'closed' && (
          <SaveFileButton
            from={addressOf('GET /operator/months/:month/statements.csv', { params: { month } })}
            name={`verdict-statements-${month}.csv`}
            label="Statements"
            title={`Save the statements of ${formatMonth(month)} as CSV`}
          />
        )}
        <SaveFileButton
          from={addressOf('GET /operator/months/:month/invoices.csv', { params: { month } })}
          name={`verdict-invoices-${month}.csv`}
          label="Issued"
          title={`Save the invoices and credit notes issued in ${formatMonth(month)} as CSV`}
        />
      </Group>
    ),
  },
];

export function MonthsTab() {
  const months = useQuery(operatorMonthsQuery);
  const system = useQuery(operatorSystemQuery);
  return (
    <>
      <Loaded
        query={months}
        what="the months"
        rows={4}
        isEmpty={(data) => data.months.length === 0}
        empty={<EmptyState title="No checks yet" text="Months appear with the first check." />}
      >
        {(data) => (
          <Section title="Months">
            <DataTable label="Months" columns={COLUMNS} rows={data.months} rowKey={({ month }) => month} />
          </Section>
        )}
      </Loaded>
      {system.data && (
        <Section
          title="Reconciliation"
          note="Compares logs, totals, quota counters and statements of each month."
        >
          {system.data.reconciliations.length === 0 ? (
            <p className={panel.note}>Not run yet. It runs every night, or with npx verdict reconcile.</p>
          ) : (
            <DataTable
              label="Reconciliation"
              rows={system.data.reconciliations}
              rowKey={({ month }) => month}
              columns={[
                { name: 'Month', render: ({ month }) => formatMonth(month) },
                {
                  name: 'Differences',
                  width: '110px',
                  figure: true,
                  render: ({ differences }) =>
                    differences === 0 ? 'none' : <strong>{formatCount(differences)}</strong>,
                },
                {
                  name: 'Repaired',
                  width: '92px',
                  figure: true,
                  from: 'tablet',
                  render: ({ repaired }) => formatCount(repaired),
                },
                { name: 'Ran (UTC)', time: ({ ran_at: at }) => at, exact: true },
                {
                  name: 'Age',
                  width: '90px',
                  figure: true,
                  render: ({ age_seconds: age }) => formatAge(age),
                },
              ]}
            />
          )}
        </Section>
      )}
    </>
  );
}
