import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useState } from 'react';
import type { Subscription } from '../../api/billing.ts';
import { formatCount } from '../../ui/format/format.ts';
import { Facts } from '../../ui/page/Facts.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { ChangePlanDialog } from './ChangePlanDialog.tsx';
import classes from './Plans.module.css';
import { overQuota, priceOf, priceToCome } from './plan-words.ts';
import { BILLING_TEXTS as TEXTS } from './texts.ts';
import { waitingPlan } from './waiting-plan.ts';

type Plan = Subscription['plans'][number];

const PHONE = '(max-width: 719px)';

/** The plans side by side; on a phone one below the other, with every figure. */
export function Plans({ subscription }: { subscription: Subscription }) {
  const onRequest = subscription.plan_changes === 'operator';
  const waiting = waitingPlan(subscription);
  const [chosen, setChosen] = useState<Plan | null>(null);
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const verb = onRequest ? 'Request' : 'Change plan';
  const action = (plan: Plan) => {
    if (plan.current) return 'your plan';
    if (plan.name === waiting) return onRequest ? 'requested' : 'from next month';
    return (
      <Button
        variant="default"
        size="compact-xs"
        onClick={() => setChosen(plan)}
        aria-label={`${verb}: ${plan.name}`}
      >
        {verb}
      </Button>
    );
  };
  return (
    <>
      {isPhone ? (
        <ul className={classes.cards} aria-label={TEXTS.plans}>
          {subscription.plans.map((plan) => (
            <li key={plan.name} className={classes.card} data-current={plan.current || undefined}>
              <div className={classes.head}>
                <strong>{plan.name}</strong>
                {action(plan)}
              </div>
              <Facts
                facts={[
                  [TEXTS.price, priceOf(plan)],
                  [TEXTS.perMonth, formatCount(plan.checks_per_month)],
                  [TEXTS.perSecond, formatCount(plan.checks_per_second)],
                  [TEXTS.beyond, overQuota(plan)],
                  [TEXTS.rows, formatCount(plan.bulk_rows_max)],
                  [TEXTS.entries, formatCount(plan.list_entries)],
                  [TEXTS.retention, TEXTS.days(formatCount(plan.retention_days))],
                ]}
              />
            </li>
          ))}
        </ul>
      ) : (
        <DataTable
          label={TEXTS.plans}
          rows={subscription.plans}
          rowKey={({ name }) => name}
          columns={[
            { name: TEXTS.name, render: ({ name, current }) => (current ? <strong>{name}</strong> : name) },
            {
              name: TEXTS.perMonth,
              width: '120px',
              figure: true,
              render: ({ checks_per_month: checks }) => formatCount(checks),
            },
            { name: TEXTS.price, width: '110px', figure: true, render: priceOf },
            { name: TEXTS.beyond, width: '250px', figure: true, from: 'desktop', render: overQuota },
            {
              name: TEXTS.rows,
              width: '96px',
              figure: true,
              from: 'wide',
              render: ({ bulk_rows_max: rows }) => formatCount(rows),
            },
            {
              name: TEXTS.entries,
              width: '104px',
              figure: true,
              from: 'wide',
              render: ({ list_entries: entries }) => formatCount(entries),
            },
            {
              name: TEXTS.perSecond,
              width: '130px',
              figure: true,
              from: 'desktop',
              render: ({ checks_per_second: checks }) => formatCount(checks),
            },
            {
              name: TEXTS.retention,
              width: '100px',
              figure: true,
              from: 'tablet',
              render: ({ retention_days: days }) => TEXTS.days(formatCount(days)),
            },
            { name: 'Change', width: '128px', figure: true, quiet: true, render: action },
          ]}
        />
      )}
      {subscription.plans.map(priceToCome).map((text) => text && <p key={text}>{text}</p>)}
      {chosen && (
        <ChangePlanDialog plan={chosen} subscription={subscription} onClose={() => setChosen(null)} />
      )}
    </>
  );
}
