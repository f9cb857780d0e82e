import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { groupsQuery } from '../../api/logs.ts';
import { POLICIES } from '../../api/policies.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { daysAgo, formatCount, plural } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';
import { logsFilter } from '../logs/logs-filter.ts';
import { searchOfGroup } from '../logs/search-of-group.ts';
import { type ChallengedKind, challenge, endChallenge } from './challenge-rule.ts';

const DAY_MS = 86_400_000;
const IMPACT_DAYS = 30;

/** Challenges what a burst repeats for a day, after showing what that would have changed; the toast takes it back. */
export function ChallengeDialog({
  kind,
  value,
  onClose,
}: {
  kind: ChallengedKind;
  value: string;
  onClose: () => void;
}) {
  const [now] = useState(Date.now);
  const filter = { ...logsFilter(searchOfGroup(kind, value), now), from: daysAgo(IMPACT_DAYS) };
  const impact = useQuery(groupsQuery('hour', filter));
  const ending = useAction(() => endChallenge(value), {
    stale: [POLICIES],
    failed: 'Could not end the rule',
  });
  const action = useAction(
    (_: FormData) => challenge(kind, value, new Date(Date.now() + DAY_MS).toISOString()),
    {
      stale: [POLICIES],
      then: onClose,
      done: () => ({
        id: value,
        title: `Checks of ${value} are challenged for 24 hours`,
        message: (
          <>
            Takes effect immediately.{' '}
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => {
                notifications.hide(value);
                ending.mutate();
              }}
            >
              Undo
            </Button>
          </>
        ),
      }),
    },
  );
  const total = impact.data?.total;
  return (
    <FormDialog
      title={`Challenge ${value} for 24 h`}
      submit="Challenge for 24 h"
      action={action}
      onClose={onClose}
    >
      <p>A rule before your other rules, which ends by itself. Decisions above challenge stay.</p>
      <p className={panel.note} role="status">
        {total
          ? `Last ${IMPACT_DAYS} days: ${plural(total.allow + total.challenge + total.review + total.block, 'check')}, of which ${formatCount(total.allow)} were allowed and would have been challenged.`
          : `Counting the checks of the last ${IMPACT_DAYS} days`}
      </p>
    </FormDialog>
  );
}
