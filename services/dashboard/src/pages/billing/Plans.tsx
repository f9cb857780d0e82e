import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Subscription } from '../../api/billing.ts';
import { formatCount, formatMoney } from '../../ui/format/format.ts';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { ChangePlanDialog } from './ChangePlanDialog.tsx';
import { BILLING_TEXTS as TEXTS } from './texts.ts';
import { waitingPlan } from './waiting-plan.ts';

type Plan = Subscription['plans'][number];

/** What can be chosen, side by side. */
export function Plans({ subscription }: { subscription: Subscription }) {
  const onRequest = subscription.plan_changes === 'operator';
  const waiting = waitingPlan(subscription);
  const [chosen, setChosen] = useState<Plan | null>(null);
  return (
    <>
      <DataTable
        label={TEXTS.plans}
        rows={subscription.plans}
        rowKey={({ name }) => name}
        columns={[
          { name: TEXTS.name, render: ({ name, current }) => (current ? <strong>{name}</strong> : name) },
          {
            name: TEXTS.perMonth,
            width: '140px',
            figure: true,
            render: ({ checks_per_month: checks }) => formatCount(checks),
          },
          {
            name: TEXTS.price,
            width: '120px',
            figure: true,
            from: 'tablet',
            render: ({ price_month: price, currency }) =>
              price === 0 ? TEXTS.free : formatMoney(price, currency),
          },
          {
            name: TEXTS.beyond,
            width: '180px',
            figure: true,
            from: 'desktop',
            render: ({ overage, price_per_1000_over: price, currency, checks_cap: cap }) =>
              overage === 'block'
                ? TEXTS.stops
                : TEXTS.billed(formatMoney(price, currency), formatCount(cap)),
          },
          {
            name: TEXTS.perSecond,
            width: '150px',
            figure: true,
            from: 'desktop',
            render: ({ checks_per_second: checks }) => formatCount(checks),
          },
          {
            name: TEXTS.retention,
            width: '120px',
            figure: true,
            from: 'tablet',
            render: ({ retention_days: days }) => TEXTS.days(formatCount(days)),
          },
          {
            name: TEXTS.action,
            width: '128px',
            figure: true,
            quiet: true,
            render: (plan) =>
              plan.current ? (
                TEXTS.current
              ) : plan.name === waiting ? (
                onRequest ? (
                  TEXTS.requested
                ) : (
                  TEXTS.next
                )
              ) : (
                <Button
                  variant="default"
                  size="compact-xs"
                  onClick={() => setChosen(plan)}
                  aria-label={`${onRequest ? TEXTS.request : TEXTS.change}: ${plan.name}`}
                >
                  {onRequest ? TEXTS.request : TEXTS.change}
                </Button>
              ),
          },
        ]}
      />
      {chosen && (
        <ChangePlanDialog plan={chosen} subscription={subscription} onClose={() => setChosen(null)} />
      )}
    </>
  );
}
