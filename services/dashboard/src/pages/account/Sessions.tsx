import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endOtherSessions, endSession, SESSIONS, sessionsQuery } from '../../api/account.ts';
import { ErrorNotice } from '../../ui/error/ErrorNotice.tsx';
import { showError } from '../../ui/error/show-error.ts';
import { plural } from '../../ui/format/format.ts';
import { Time } from '../../ui/format/Time.tsx';
import { Section } from '../../ui/page/Section.tsx';
import { SkeletonRows } from '../../ui/page/Skeletons.tsx';
import { DataTable } from '../../ui/table/DataTable.tsx';
import { browserOf } from './browser-of.ts';
import { SESSIONS_TEXTS as TEXTS } from './texts.ts';

export function Sessions() {
  const sessions = useQuery(sessionsQuery);
  const client = useQueryClient();
  const settled = {
    onError: showError(TEXTS.failed),
    onSettled: () => client.invalidateQueries({ queryKey: SESSIONS }),
  };
  const ending = useMutation({
    mutationFn: endSession,
    onSuccess: () => notifications.show({ message: TEXTS.ended }),
    ...settled,
  });
  const endingOthers = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: ({ ended }) => notifications.show({ message: TEXTS.endedOthers(plural(ended, 'session')) }),
    ...settled,
  });
  const rows = sessions.data?.sessions ?? [];
  return (
    <Section
      title={TEXTS.title}
      note={TEXTS.note}
      aside={
        rows.length > 1 ? (
          <Button
            variant="default"
            size="xs"
            loading={endingOthers.isPending}
            onClick={() => endingOthers.mutate()}
          >
            {TEXTS.endOthers}
          </Button>
        ) : null
      }
    >
      {sessions.error ? (
        <ErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : !sessions.data ? (
        <SkeletonRows rows={2} label={TEXTS.loading} />
      ) : (
        <DataTable
          label={TEXTS.title}
          rows={rows}
          rowKey={({ id }) => id}
          columns={[
            {
              name: TEXTS.where,
              render: ({ user_agent: agent, current }) => (
                <span title={agent ?? undefined}>
                  {agent ? browserOf(agent) : TEXTS.unknown}
                  {current && <strong> · {TEXTS.this}</strong>}
                </span>
              ),
            },
            { name: TEXTS.ip, width: '140px', from: 'tablet', render: ({ ip }) => ip ?? '' },
            {
              name: TEXTS.since,
              width: '172px',
              figure: true,
              from: 'desktop',
              render: ({ created_at: at }) => <Time at={at} />,
            },
            {
              name: TEXTS.lastUse,
              width: '172px',
              figure: true,
              from: 'tablet',
              render: ({ last_used_at: at }) => <Time at={at} relative />,
            },
            {
              name: TEXTS.actions,
              width: '112px',
              figure: true,
              quiet: true,
              render: ({ id, current }) =>
                current ? (
                  ''
                ) : (
                  <Button variant="default" size="compact-xs" onClick={() => ending.mutate(id)}>
                    {TEXTS.end}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Section>
  );
}
