import { Button } from '@mantine/core';
import { OUTCOMES, type Outcome } from '@verdict/domain/outcomes.js';
import { call } from '../../api/call.ts';
import { LOGS, type LogDetail } from '../../api/logs.ts';
import { PRECISION } from '../../api/outcomes.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { Time } from '../../ui/format/Time.tsx';
import { OUTCOME_WORDS } from '../../ui/verdict/outcome-words.ts';
import classes from './LogPanel.module.css';

/** Says what became of the person. The last word counts, and those before it stay readable. */
export function OutcomeActions({ log }: { log: LogDetail }) {
  const saying = useAction(
    (outcome: Outcome) => call('POST /outcomes/', { body: { items: [{ id: log.id, outcome }] } }),
    {
      stale: [[...LOGS, 'one', log.id], [...LOGS, 'list'], PRECISION],
      done: 'Outcome saved',
      failed: 'Could not save the outcome',
    },
  );
  return (
    <>
      <div className={classes.actions}>
        {OUTCOMES.map((outcome) => (
          <Button
            key={outcome}
            variant={log.outcome === outcome ? 'filled' : 'default'}
            size="xs"
            aria-pressed={log.outcome === outcome}
            loading={saying.isPending && saying.variables === outcome}
            onClick={() => saying.mutate(outcome)}
          >
            {OUTCOME_WORDS[outcome]}
          </Button>
        ))}
      </div>
      {log.outcomes.length > 0 && (
        <ul className={classes.said}>
          {log.outcomes.map(({ outcome, about, note, at }) => (
            <li key={`${about} ${at}`}>
              {OUTCOME_WORDS[outcome]}
              {about === 'address' && ', said of the address'}
              {note && `: ${note}`} <Time at={at} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
