import { useQuery } from '@tanstack/react-query';
import type { ListMatching } from '@verdict/contracts/account-list.js';
import { impactQuery, type ListName } from '../../api/lists.ts';
import { formatCount, plural } from '../../ui/format/format.ts';
import { consideredLine } from '../../ui/verdict/considered.ts';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { DECISIONS } from '../../ui/verdict/decisions.ts';
import classes from './Impact.module.css';
import { ADD_TEXTS as TEXTS } from './texts.ts';

/** Which checks of the last 30 days an entry would have touched. Silent while what is typed is no value yet. */
export function Impact({ list, value, match }: { list: ListName; value: string; match: ListMatching }) {
  const impact = useQuery(impactQuery(list, value, match));
  if (impact.error) return null;
  const { data } = impact;
  return (
    <div className={classes.impact} role="status">
      <strong>{TEXTS.impact}</strong>
      {!data ? (
        <p>{TEXTS.impactWait}</p>
      ) : (
        <>
          {data.standing && <p>{TEXTS.standing(data.standing)}</p>}
          <p>
            {data.checks === 0
              ? TEXTS.impactNone
              : TEXTS.impactSome(plural(data.checks, 'check'), formatCount(data.changed))}
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
