import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type PlanRequest, planRequestsQuery } from '../../api/operator.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { DecideDialog } from './DecideDialog.tsx';

export function PlanRequestsTab() {
  const requests = useQuery(planRequestsQuery);
  const [deciding, setDeciding] = useState<{ request: PlanRequest; verdict: 'grant' | 'refuse' } | null>(
    null,
  );
  return (
    <>
      <Loaded
        query={requests}
        what="the requests"
        rows={4}
        isEmpty={(data) => data.requests.length === 0}
        empty={
          <EmptyState
            title="No open requests"
            text="Customers request plans on their billing page when PLAN_CHANGES is set to operator."
          />
        }
      >
        {(data) => (
          <DataTable
            label="Plan requests"
            rows={data.requests}
            rowKey={({ id }) => id}
            columns={[
              { name: 'Account', render: ({ account_name: name }) => name },
              {
                name: 'From → to',
                width: '180px',
                phoneWidth: '104px',
                render: ({ current_plan: from, plan }) => `${from} → ${plan}`,
              },
              { name: 'Requested (UTC)', time: ({ requested_at: at }) => at },
              {
                width: '172px',
                phoneWidth: '140px',
                figure: true,
                actions: (request) => (
                  <>
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => setDeciding({ request, verdict: 'grant' })}
                    >
                      Grant
                    </Button>{' '}
                    <Button
                      size="compact-xs"
                      variant="default"
                      onClick={() => setDeciding({ request, verdict: 'refuse' })}
                    >
                      Refuse
                    </Button>
                  </>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {deciding && <DecideDialog {...deciding} onClose={() => setDeciding(null)} />}
    </>
  );
}
