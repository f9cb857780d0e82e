import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Statement, statementsQuery, subscriptionQuery } from '../../api/billing.ts';
import { addressOf } from '../../api/call.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { formatCount, formatLongDay, formatMonth } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonBlock, SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { QuotaBar } from '../../ui/quota/QuotaBar.tsx';
import { type Column, DataTable } from '../../ui/table/DataTable.tsx';
import { InvoiceAddress } from './InvoiceAddress.tsx';
import { Invoices } from './Invoices.tsx';
import { Plans } from './Plans.tsx';
import { BILLING_TEXTS as TEXTS } from './texts.ts';
import { WaitingPlan } from './WaitingPlan.tsx';

const COLUMNS: readonly Column<Statement>[] = [
  {
    name: TEXTS.monthColumn,
    render: ({ month }) => (
      <Link to="/billing/statements/$month" params={{ month }} data-row="">
        {formatMonth(month)}
      </Link>
    ),
  },
  { name: TEXTS.name, width: '110px', from: 'tablet', render: ({ plan }) => plan },
  {
    name: TEXTS.entitled,
    width: '110px',
    figure: true,
    from: 'tablet',
    render: ({ entitled }) => formatCount(entitled),
  },
  { name: TEXTS.usedColumn, width: '90px', figure: true, render: ({ used }) => formatCount(used) },
  {
    name: TEXTS.adjusted,
    width: '90px',
    figure: true,
    from: 'tablet',
    render: ({ adjusted }) => formatCount(adjusted),
  },
  { name: TEXTS.over, width: '128px', figure: true, render: ({ over }) => formatCount(over) },
  {
    name: TEXTS.closed,
    width: '172px',
    figure: true,
    from: 'desktop',
    render: ({ closed_at: at }) => <Time at={at} />,
  },
];

export function BillingPage() {
  const subscription = useQuery(subscriptionQuery);
  const statements = useQuery(statementsQuery);
  const { data } = subscription;
  return (
    <>
      <PageHeader title={TEXTS.title} />
      {subscription.error && (
        <ErrorNotice
          title={TEXTS.failed}
          error={subscription.error}
          onRetry={() => void subscription.refetch()}
        />
      )}
      {!data && !subscription.error && <SkeletonBlock height={320} label={TEXTS.loading} />}
      {data && (
        <>
          <Section title={TEXTS.month}>
            <div className={panel.panel}>
              <p style={{ margin: '0 0 10px' }}>
                <strong>{formatCount(data.checks_used)}</strong> {TEXTS.used} {formatCount(data.checks_limit)}{' '}
                · <strong>{data.plan}</strong>
              </p>
              <QuotaBar used={data.checks_used} limit={data.checks_limit} />
              <p className={panel.note} style={{ marginTop: 8 }}>
                {TEXTS.resets(formatLongDay(data.resets_at))}
              </p>
            </div>
          </Section>
          <Section
            title={TEXTS.plans}
            note={data.plan_changes === 'operator' ? TEXTS.plansNoteOperator : TEXTS.plansNoteSelf}
          >
            <WaitingPlan subscription={data} />
            <Plans subscription={data} />
          </Section>
        </>
      )}
      {/* After the sections above, so that nothing moves. */}
      {(data || subscription.error) && (
        <>
          <Section
            title={TEXTS.statements}
            note={TEXTS.statementsNote}
            aside={
              statements.data && statements.data.statements.length > 0 ? (
                <DownloadButton
                  from={addressOf('GET /billing/statements/', { query: { format: 'csv' } })}
                  name="verdict-statements.csv"
                  label={TEXTS.export}
                />
              ) : null
            }
          >
            {statements.error ? (
              <ErrorNotice
                title={TEXTS.statementsFailed}
                error={statements.error}
                onRetry={() => void statements.refetch()}
              />
            ) : !statements.data ? (
              <SkeletonRows rows={3} label={TEXTS.loading} />
            ) : statements.data.statements.length === 0 ? (
              <EmptyState
                title={TEXTS.noStatements}
                text={TEXTS.noStatementsText(data ? formatLongDay(data.resets_at) : '…')}
              >
                <Link to="/usage">{TEXTS.toUsage}</Link>
              </EmptyState>
            ) : (
              <DataTable
                label={TEXTS.statements}
                columns={COLUMNS}
                rows={statements.data.statements}
                rowKey={({ month }) => month}
              />
            )}
          </Section>
          <Invoices />
          <InvoiceAddress />
        </>
      )}
    </>
  );
}
