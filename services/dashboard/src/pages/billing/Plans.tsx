import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Subscription } from '../../api/billing.ts';
import { DataTable } from '../../ui/DataTable.tsx';
import { formatCount } from '../../ui/format.ts';
import { ChangePlanDialog } from './ChangePlanDialog.tsx';
import { BILLING_TEXTS as TEXTS } from './texts.ts';

type Plan = Subscription['plans'][number];

/** What can be chosen, side by side. */
export function Plans({ subscription, onRequest }: { subscription: Subscription; onRequest: boolean }) {
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
            name: TEXTS.perSecond,
            width: '150px',
            figure: true,
            from: 'tablet',
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
        <ChangePlanDialog
          plan={chosen}
          used={subscription.checks_used}
          onRequest={onRequest}
          onClose={() => setChosen(null)}
        />
      )}
    </>
  );
}
