import { useQuery } from '@tanstack/react-query';
import type { ListMatching } from '@verdict/domain/account-list.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import { impactQuery, type ListName } from '../../api/lists.ts';
import { formatCount, plural } from '../../ui/format/format.ts';
import { consideredLine } from '../../ui/verdict/considered.ts';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import classes from './Impact.module.css';

/** Which checks of the last 30 days an entry would have touched. Silent while what is typed is no value yet. */
export function Impact({ list, value, match }: { list: ListName; value: string; match: ListMatching }) {
  const impact = useQuery(impactQuery(list, value, match));
  if (impact.error) return null;
  const { data } = impact;
  return (
    <div className={classes.impact} role="status">
      <strong>Last 30 days</strong>
      {!data ? (
        <p>Counting the checks of the last 30 days</p>
      ) : (
        <>
          {data.standing && <p>{`Already on your ${data.standing} list.`}</p>}
          <p>
            {data.checks === 0
              ? 'Would have decided no check of the last 30 days.'
              : `Would have decided ${plural(data.checks, 'check')}; ${formatCount(data.changed)} would have had a different decision.`}
          </p>
          {data.checks > 0 && (
            <ul>
              {DECISIONS.filter((decision) => data.by_decision[decision] > 0).map((decision) => (
                <li key={decision}>
                  <DecisionMark decision={decision} /> {formatCount(data.by_decision[decision])}
                </li>
              ))}
            </ul>
          )}
          <p className={classes.considered}>{consideredLine(data.considered)}</p>
        </>
      )}
    </div>
  );
}
