import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Statement, statementsQuery, subscriptionQuery } from '../../api/billing.ts';
import { addressOf } from '../../api/call.ts';
import { DownloadButton } from '../../ui/file/DownloadButton.tsx';
import { formatCount, formatLongDay, formatMonth } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded, problemOf } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonBlock } from '../../ui/page/Skeletons.tsx';
import { QuotaBar } from '../../ui/quota/QuotaBar.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { InvoiceAddress } from './InvoiceAddress.tsx';
import { Invoices } from './Invoices.tsx';
import { Plans } from './Plans.tsx';
import { BILLING_TEXTS as TEXTS } from './texts.ts';
import { WaitingPlan } from './WaitingPlan.tsx';

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

export function BillingPage() {
  const subscription = useQuery(subscriptionQuery);
  const statements = useQuery(statementsQuery);
  const { data } = subscription;
  return (
    <>
      <PageHeader title="Billing" />
      <Loaded
        query={subscription}
        what="the subscription"
        skeleton={<SkeletonBlock height={320} label="Loading the subscription" />}
      >
        {(data) => (
          <>
            <Section title="This month">
              <div className={panel.panel}>
                <p style={{ margin: '0 0 10px' }}>
                  <strong>{formatCount(data.checks_used)}</strong> used of {formatCount(data.checks_limit)} ·{' '}
                  <strong>{data.plan}</strong>
                </p>
                <QuotaBar used={data.checks_used} limit={data.checks_limit} />
                <p className={panel.note} style={{ marginTop: 8 }}>
                  {`Resets on ${formatLongDay(data.resets_at)}, 00:00 UTC.`}
                </p>
              </div>
            </Section>
            <Section
              title={TEXTS.plans}
              note={
                data.plan_changes === 'operator'
                  ? 'An operator grants or refuses plan changes.'
                  : 'Upgrades start now, downgrades next month.'
              }
            >
              <WaitingPlan subscription={data} />
              <Plans subscription={data} />
            </Section>
          </>
        )}
      </Loaded>
      {/* After the sections above, so that nothing moves. */}
      {(data || problemOf(subscription) !== null) && (
        <>
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
                <EmptyState
                  title="No statements yet"
                  text={TEXTS.noStatementsText(data ? formatLongDay(data.resets_at) : '…')}
                >
                  <Link to="/usage">See usage</Link>
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
          <Invoices />
          <InvoiceAddress />
        </>
      )}
    </>
  );
}
