import { Button } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { Outcome } from '@verdict/domain/outcomes.js';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import type { ListName } from '../../api/lists.ts';
import { LOGS, type LogDetail } from '../../api/logs.ts';
import { PRECISION } from '../../api/outcomes.ts';
import { REVIEWS } from '../../api/reviews.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { OUTCOME_WORDS } from '../../ui/verdict/outcome-words.ts';
import { AddEntryDialog } from '../lists/AddEntryDialog.tsx';
import classes from './ReviewActions.module.css';
import { REVIEW_TEXTS as TEXTS } from './texts.ts';

/** The outcome that an entry on a list means. */
const SAYS = { allow: 'genuine', block: 'abuse' } as const satisfies Record<ListName, Outcome>;

/** Decides a check by button or key. A list entry shows its impact first and brings the outcome with it. */
export function ReviewActions({
  log,
  isHeld,
  onDecided,
}: {
  log: LogDetail;
  isHeld: boolean;
  onDecided: () => void;
}) {
  const [list, setList] = useState<ListName | null>(null);
  const deciding = useAction(
    (outcome: Outcome) =>
      call('POST /dashboard/review/:id/decide/', { params: { id: log.id }, body: { outcome } }),
    {
      stale: [REVIEWS, LOGS, PRECISION],
      failed: 'Could not save the decision',
      done: (_, outcome) => `${OUTCOME_WORDS[outcome]}: ${log.email ?? log.id}`,
      then: onDecided,
    },
  );
  const isIdle = isHeld && list === null && !deciding.isPending;
  const decide = (outcome: Outcome) => () => isIdle && deciding.mutate(outcome);
  const ask = (name: ListName) => () => isIdle && log.email !== null && setList(name);
  useHotkeys([
    ['G', decide('genuine')],
    ['A', decide('abuse')],
    ['L', ask('allow')],
    ['B', ask('block')],
  ]);
  const domain = log.email?.slice(log.email.lastIndexOf('@') + 1);
  return (
    <>
      <div className={classes.actions}>
        {(['genuine', 'abuse'] as const).map((outcome) => (
          <Button
            key={outcome}
            size="xs"
            disabled={!isHeld}
            loading={deciding.isPending && deciding.variables === outcome}
            onClick={decide(outcome)}
          >
            {OUTCOME_WORDS[outcome]}
          </Button>
        ))}
        {log.email !== null &&
          (['allow', 'block'] as const).map((name) => (
            <Button key={name} variant="default" size="xs" disabled={!isHeld} onClick={ask(name)}>
              {name === 'allow' ? 'Allow…' : 'Block…'}
            </Button>
          ))}
      </div>
      <p className={classes.keys}>{TEXTS.keys}</p>
      {list && log.email !== null && domain && (
        <AddEntryDialog
          list={list}
          values={[log.email, domain, ...(log.ip ? [log.ip] : [])]}
          servers={(log.mx?.hosts ?? []).filter((host) => host !== domain)}
          note={`From ${log.id}`}
          onClose={(isAdded) => {
            setList(null);
            if (isAdded) deciding.mutate(SAYS[list]);
          }}
        />
      )}
    </>
  );
}
