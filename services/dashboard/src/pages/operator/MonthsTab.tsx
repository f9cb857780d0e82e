import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { addressOf } from '../../api/call.ts';
import { type OperatorMonth, operatorMonthsQuery, operatorSystemQuery } from '../../api/operator.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { SaveFileButton } from '../../ui/file/SaveFileButton.tsx';
import { formatAge, formatCount, formatMoney, formatMonth } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { OPERATOR_TEXTS, MONTHS_TEXTS as TEXTS } from './texts.ts';

const orDash = (value: number | null): string => (value === null ? '–' : formatCount(value));

const COLUMNS: readonly Column<OperatorMonth>[] = [
  { name: TEXTS.month, render: ({ month }) => formatMonth(month) },
  { name: TEXTS.status, width: '60px', phoneWidth: '58px', render: ({ status }) => status },
  {
    name: TEXTS.accounts,
    width: '76px',
    figure: true,
    from: 'desktop',
    render: ({ accounts }) => formatCount(accounts),
  },
  { name: TEXTS.used, width: '76px', figure: true, from: 'tablet', render: ({ used }) => formatCount(used) },
  {
    name: TEXTS.adjusted,
    width: '78px',
    figure: true,
    from: 'wide',
    render: ({ adjusted }) => formatCount(adjusted),
  },
  {
    name: TEXTS.entitled,
    width: '76px',
    figure: true,
    from: 'wide',
    render: ({ entitled }) => orDash(entitled),
  },
  { name: TEXTS.over, width: '98px', figure: true, from: 'tablet', render: ({ over }) => orDash(over) },
  {
    name: TEXTS.total,
    width: '72px',
    figure: true,
    from: 'tablet',
    render: ({ total, currency }) =>
      total === null || currency === null ? '–' : formatMoney(total, currency),
  },
  {
    name: TEXTS.closed,
    width: '108px',
    figure: true,
    from: 'wide',
    render: ({ closed_at: at }) => (at ? <Time at={at} day /> : '–'),
  },
  {
    name: TEXTS.documents,
    width: '228px',
    phoneWidth: '152px',
    figure: true,
    quiet: true,
    render: ({ month, status }) => (
      <Group gap={4} justify="flex-end" my={4}>
        <SaveFileButton
          from={addressOf('GET /operator/months/:month/report/', { params: { month } })}
          name={`verdict-${month}.html`}
          label={TEXTS.report}
          title={TEXTS.reportOf(formatMonth(month))}
        />
        {status === 'closed' && (
          <SaveFileButton
            from={addressOf('GET /operator/months/:month/statements.csv', { params: { month } })}
            name={`verdict-statements-${month}.csv`}
            label={TEXTS.statements}
            title={TEXTS.statementsOf(formatMonth(month))}
          />
        )}
        <SaveFileButton
          from={addressOf('GET /operator/months/:month/invoices.csv', { params: { month } })}
          name={`verdict-invoices-${month}.csv`}
          label={TEXTS.invoices}
          title={TEXTS.invoicesOf(formatMonth(month))}
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
      {months.error ? (
        <ErrorNotice title={TEXTS.failed} error={months.error} onRetry={() => void months.refetch()} />
      ) : !months.data ? (
        <SkeletonRows rows={4} label={OPERATOR_TEXTS.loading} />
      ) : months.data.months.length === 0 ? (
        <EmptyState title={TEXTS.none} text={TEXTS.noneText} />
      ) : (
        <Section title={TEXTS.label}>
          <DataTable
            label={TEXTS.label}
            columns={COLUMNS}
            rows={months.data.months}
            rowKey={({ month }) => month}
          />
        </Section>
      )}
      {system.data && (
        <Section title={TEXTS.reconciliation} note={TEXTS.reconciliationNote}>
          {system.data.reconciliations.length === 0 ? (
            <p className={panel.note}>{TEXTS.reconciliationNone}</p>
          ) : (
            <DataTable
              label={TEXTS.reconciliation}
              rows={system.data.reconciliations}
              rowKey={({ month }) => month}
              columns={[
                { name: TEXTS.month, render: ({ month }) => formatMonth(month) },
                {
                  name: TEXTS.differences,
                  width: '110px',
                  figure: true,
                  render: ({ differences }) =>
                    differences === 0 ? TEXTS.agrees : <strong>{formatCount(differences)}</strong>,
                },
                {
                  name: TEXTS.repaired,
                  width: '92px',
                  figure: true,
                  from: 'tablet',
                  render: ({ repaired }) => formatCount(repaired),
                },
                {
                  name: TEXTS.ran,
                  width: '172px',
                  figure: true,
                  from: 'tablet',
                  render: ({ ran_at: at }) => <Time at={at} />,
                },
                {
                  name: TEXTS.age,
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
