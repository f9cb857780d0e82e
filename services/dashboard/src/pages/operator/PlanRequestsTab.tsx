import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PlanRequest, planRequestsQuery } from '../../api/operator.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { Time } from '../../ui/format/Time.tsx';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { DecideDialog } from './DecideDialog.tsx';
import { OPERATOR_TEXTS, REQUESTS_TEXTS as TEXTS } from './texts.ts';

export function PlanRequestsTab() {
  const requests = useQuery(planRequestsQuery);
  const [deciding, setDeciding] = useState<{ request: PlanRequest; verdict: 'grant' | 'refuse' } | null>(
    null,
  );
  const rows = requests.data?.requests ?? [];
  return (
    <>
      {requests.error ? (
        <ErrorNotice title={TEXTS.failed} error={requests.error} onRetry={() => void requests.refetch()} />
      ) : !requests.data ? (
        <SkeletonRows rows={4} label={OPERATOR_TEXTS.loading} />
      ) : rows.length === 0 ? (
        <EmptyState title={TEXTS.none} text={TEXTS.noneText} />
      ) : (
        <DataTable
          label={TEXTS.label}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            { name: TEXTS.account, render: ({ account_name: name }) => name },
            {
              name: TEXTS.change,
              width: '180px',
              phoneWidth: '104px',
              render: ({ current_plan: from, plan }) => `${from} → ${plan}`,
            },
            {
              name: TEXTS.asked,
              width: '172px',
              figure: true,
              from: 'tablet',
              render: ({ requested_at: at }) => <Time at={at} relative />,
            },
            {
              name: TEXTS.actions,
              phoneWidth: '140px',
              quiet: true,
              width: '172px',
              figure: true,
              render: (request) => (
                <>
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => setDeciding({ request, verdict: 'grant' })}
                  >
                    {TEXTS.grant}
                  </Button>{' '}
                  <Button
                    size="compact-xs"
                    variant="default"
                    onClick={() => setDeciding({ request, verdict: 'refuse' })}
                  >
                    {TEXTS.refuse}
                  </Button>
                </>
              ),
            },
          ]}
        />
      )}
      {deciding && <DecideDialog {...deciding} onClose={() => setDeciding(null)} />}
    </>
  );
}
