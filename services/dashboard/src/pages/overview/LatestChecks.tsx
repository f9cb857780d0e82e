import { Link } from '@tanstack/react-router';
import type { Log } from '../../api/logs.ts';
import { Time } from '../../ui/format/Time.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { OVERVIEW_TEXTS as TEXTS } from './texts.ts';

export function LatestChecks({ logs }: { logs: readonly Log[] }) {
  return (
    <DataTable
      label={TEXTS.latest}
      rows={logs}
      rowKey={({ id }) => id}
      columns={[
        {
          name: 'Address',
          render: ({ id, email }) => (
            <Link to="/checks/$id" params={{ id }} data-row="">
              {email ?? <em>erased</em>}
            </Link>
          ),
        },
        {
          name: 'Decision',
          width: '108px',
          render: ({ decision }) => <DecisionMark decision={decision} />,
        },
        { name: 'Score', width: '64px', figure: true, render: ({ risk_score }) => risk_score },
        {
          name: 'Time (UTC)',
          width: '172px',
          figure: true,
          from: 'tablet',
          render: ({ created_at }) => <Time at={created_at} relative />,
        },
      ]}
    />
  );
}
