import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { SESSIONS, sessionsQuery } from '../../api/account.ts';
import { call } from '../../api/call.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { plural } from '../../ui/format/format.ts';
import { Loaded } from '../../ui/page/Loaded.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { browserOf } from './browser-of.ts';

export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const acted = { stale: [SESSIONS], failed: 'Could not end the session' };
  const ending = useAction((id: string) => call('DELETE /auth/sessions/:id/', { params: { id } }), {
    ...acted,
    done: 'Session ended',
  });
  const endingOthers = useAction(() => call('DELETE /auth/sessions/'), {
    ...acted,
    done: ({ ended }) => `${plural(ended, 'session')} ended`,
  });
  const rows = sessions.data?.sessions ?? [];
  return (
    <Section
      title="Sessions"
      note="Where you are logged in. Ended sessions are logged out immediately."
      aside={
        rows.length > 1 ? (
          <Button
            variant="default"
            size="xs"
            loading={endingOthers.isPending}
            onClick={() => endingOthers.mutate()}
          >
            End all others
          </Button>
        ) : null
      }
    >
      <Loaded query={sessions} what="the sessions" rows={2}>
        {() => (
          <DataTable
            label="Sessions"
            rows={rows}
            rowKey={({ id }) => id}
            columns={[
              {
                name: 'Browser',
                render: ({ user_agent: agent, current }) => (
                  <span title={agent ?? undefined}>
                    {agent ? browserOf(agent) : 'unknown'}
                    {current && <strong> · this one</strong>}
                  </span>
                ),
              },
              { name: 'From', width: '140px', from: 'tablet', render: ({ ip }) => ip ?? '' },
              { name: 'Since (UTC)', time: ({ created_at: at }) => at, exact: true, from: 'desktop' },
              { name: 'Last used (UTC)', time: ({ last_used_at: at }) => at },
              {
                width: '112px',
                figure: true,
                actions: ({ id, current }) =>
                  !current && (
                    <Button variant="default" size="compact-xs" onClick={() => ending.mutate(id)}>
                      End session
                    </Button>
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Section>
  );
}
