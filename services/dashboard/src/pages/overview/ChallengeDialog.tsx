import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { type ChallengedKind, challengeName, challengeRule } from '@verdict/domain/policy/challenge-rule.js';
import { useState } from 'react';
import { LISTS } from '../../api/lists.ts';
import { groupsQuery } from '../../api/logs.ts';
import { POLICIES } from '../../api/policies.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { daysAgo, formatCount, plural } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';
import { logsFilter } from '../logs/logs-filter.ts';
import { searchOfGroup } from '../logs/search-of-group.ts';
import { putRule, takeRuleOut } from './put-rule.ts';

const DAY_MS = 86_400_000;
const IMPACT_DAYS = 30;

/** Challenges what checks have in common, for a day or for good, after showing what that would have changed; the toast takes it back. */
export function ChallengeDialog({
  kind,
  value,
  isForDay,
  onClose,
}: {
  kind: ChallengedKind;
  value: string;
  isForDay: boolean;
  onClose: () => void;
}) {
  const [now] = useState(Date.now);
  const filter = { ...logsFilter(searchOfGroup(kind, value), now), from: daysAgo(IMPACT_DAYS) };
  const impact = useQuery(groupsQuery('hour', filter));
  // A proposal is answered by its rule.
  const stale = [POLICIES, LISTS];
  const ending = useAction((name: string) => takeRuleOut(name), { stale, failed: 'Could not end the rule' });
  const action = useAction(
    async (_: FormData) => {
      const endsAt = isForDay ? new Date(Date.now() + DAY_MS).toISOString() : undefined;
      const rule = challengeRule(kind, value, endsAt);
      await putRule(rule);
      return rule;
    },
    {
      stale,
      then: onClose,
      done: ({ name }) => ({
        id: value,
        title: `Checks of ${value} are challenged${isForDay ? ' for 24 hours' : ''}`,
        message: (
          <>
            Takes effect immediately.{' '}
            <Button
              variant="default"
              size="compact-xs"
              onClick={() => {
                notifications.hide(value);
                ending.mutate(name);
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
      title={challengeName(value, isForDay)}
      submit={isForDay ? 'Challenge for 24 h' : 'Challenge'}
      action={action}
      onClose={onClose}
    >
      <p>
        Adds a rule before your other rules{isForDay && ', for 24 hours'}. Decisions above challenge stay.
      </p>
      <p className={panel.note} role="status">
        {total
          ? `Last ${IMPACT_DAYS} days: ${plural(total.allow + total.challenge + total.review + total.block, 'check')}; ${formatCount(total.allow)} of them were allowed.`
          : `Counting the checks of the last ${IMPACT_DAYS} days`}
      </p>
    </FormDialog>
  );
}
