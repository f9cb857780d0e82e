import { useQuery } from '@tanstack/react-query';
import { subscriptionQuery, upcomingQuery } from '../../api/billing.ts';
import { formatCount, formatLongDay } from '../../ui/format/format.ts';
import { Loaded, problemOf } from '../../ui/page/Loaded.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import panel from '../../ui/page/Panel.module.css';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonBlock } from '../../ui/page/Skeletons.tsx';
import { QuotaBar } from '../../ui/quota/QuotaBar.tsx';
import { InvoiceAddress } from './InvoiceAddress.tsx';
import { Invoices } from './Invoices.tsx';
import { Plans } from './Plans.tsx';
import { SpendingLimits } from './SpendingLimits.tsx';
import { StatementLines } from './StatementLines.tsx';
import { Statements } from './Statements.tsx';
import { BILLING_TEXTS as TEXTS } from './texts.ts';
import { upcomingSentence } from './upcoming-sentence.ts';
import { WaitingPlan } from './WaitingPlan.tsx';

export function BillingPage() {
  const subscription = useQuery(subscriptionQuery);
  const upcoming = useQuery(upcomingQuery);
  const { data } = subscription;
  return (
    <>
      <PageHeader title="Plan and invoices" />
      <Loaded
        query={subscription}
        what="the subscription"
        skeleton={<SkeletonBlock height={320} label="Loading the subscription" />}
      >
        {(data) => (
          <Loaded
            query={upcoming}
            what="the running month"
            skeleton={<SkeletonBlock height={320} label="Loading the running month" />}
          >
            {({ upcoming }) => (
              <>
                <Section title="This month">
                  <div className={panel.panel}>
                    <p style={{ margin: '0 0 10px' }}>
                      <strong>{formatCount(data.checks_used)}</strong> used of{' '}
                      {formatCount(data.checks_limit)} · <strong>{data.plan}</strong>
                    </p>
                    <QuotaBar used={data.checks_used} limit={data.checks_limit} />
                    <p className={panel.note} style={{ marginTop: 8 }}>
                      {`Resets on ${formatLongDay(data.resets_at)}, 00:00 UTC.`}
                    </p>
                    <p style={{ margin: '12px 0 0' }}>{upcomingSentence(upcoming)}</p>
                  </div>
                </Section>
                <StatementLines
                  statement={upcoming}
                  title="Upcoming invoice"
                  note="Priced as the statement will be, by the checks counted so far."
                />
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
                <SpendingLimits subscription={data} />
              </>
            )}
          </Loaded>
        )}
      </Loaded>
      {/* After the sections above, so that nothing moves. */}
      {[subscription, upcoming].every((query) => query.data || problemOf(query) !== null) && (
        <>
          <Statements firstDay={data ? formatLongDay(data.resets_at) : '…'} />
          <Invoices />
          <InvoiceAddress isInvoiced={(data?.plans.find(({ current }) => current)?.price_month ?? 0) > 0} />
        </>
      )}
    </>
  );
}
