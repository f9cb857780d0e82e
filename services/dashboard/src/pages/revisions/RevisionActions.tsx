import { Button } from '@mantine/core';
import { DECISIONS } from '@verdict/domain/decision.js';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { LOGS } from '../../api/logs.ts';
import { PRECISION } from '../../api/outcomes.ts';
import type { Revision } from '../../api/revisions.ts';
import { useMay } from '../../shell/use-may.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { OUTCOME_WORDS } from '../../ui/verdict/outcome-words.ts';
import { AddEntryDialog } from '../lists/AddEntryDialog.tsx';
import classes from './RevisionActions.module.css';

/** The usual next step: abuse or an entry on the block list where the decision is worse now, and the other way round. */
export function RevisionActions({ revision: { id, email, from, to } }: { revision: Revision }) {
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const isWorse = DECISIONS.indexOf(to) > DECISIONS.indexOf(from);
  const [list, outcome] = isWorse ? (['block', 'abuse'] as const) : (['allow', 'genuine'] as const);
  const saying = useAction(() => call('POST /outcomes/', { body: { items: [{ id, outcome }] } }), {
    stale: [LOGS, PRECISION],
    done: `${OUTCOME_WORDS[outcome]}: ${email ?? id}`,
    failed: 'Could not save the outcome',
  });
  if (email === null || !may('POST /outcomes/')) return null;
  return (
    <span className={classes.actions}>
      <Button variant="default" size="compact-xs" loading={saying.isPending} onClick={() => saying.mutate()}>
        {OUTCOME_WORDS[outcome]}
      </Button>
      <Button variant="default" size="compact-xs" onClick={() => setAsking(true)}>
        {isWorse ? 'Block…' : 'Allow…'}
      </Button>
      {isAsking && (
        <AddEntryDialog
          list={list}
          values={[email, email.slice(email.lastIndexOf('@') + 1)]}
          note={`From ${id}`}
          onClose={() => setAsking(false)}
        />
      )}
    </span>
  );
}
