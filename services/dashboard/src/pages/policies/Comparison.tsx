import { Link } from '@tanstack/react-router';
import type { Decision } from '@verdict/domain/decision.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import type { Backtest, Cell } from '../../api/policies.ts';
import { formatCount, formatShare, plural } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';
import { consideredLine } from '../../ui/verdict/considered.ts';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import classes from './Comparison.module.css';
import { MATRIX_TEXTS as TEXTS } from './texts.ts';

/** Decisions as they were against those of a version, and how often each rule matched. */
export function Comparison({
  title,
  report: { judged, changed, matrix, hits, considered },
}: {
  title: string;
  report: Pick<Backtest, 'judged' | 'changed' | 'matrix' | 'hits' | 'considered'>;
}) {
  const cellOf = (before: Decision, after: Decision) =>
    matrix.find((cell) => cell.before === before && cell.after === after);
  return (
    <div className={panel.stack}>
      <p className={classes.sum}>
        {changed === 0
          ? `No decision of ${plural(judged, 'check')} would change.`
          : `${formatCount(changed)} of ${formatCount(judged)} decisions would change (${formatShare(changed, judged)}).`}
      </p>
      <table
        className={classes.matrix}
        aria-label={`${title}: decisions that were made and those of this version`}
      >
        <thead>
          <tr>
            <th scope="col">Was</th>
            {DECISIONS.map((after) => (
              <th key={after} scope="col" data-decision={after}>
                {after}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DECISIONS.map((before) => (
            <tr key={before}>
              <th scope="row">
                <DecisionMark decision={before} />
              </th>
              {DECISIONS.map((after) => (
                <td key={after} data-same={before === after || undefined}>
                  <Count cell={cellOf(before, after)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={panel.note}>
        Rows are the decisions that were made, columns those of this version. A number opens up to 50 of its
        checks. {consideredLine(considered)}
      </p>
      {hits.length > 0 && (
        <div>
          <h3 className={classes.heading}>Checks that each rule matches</h3>
          <ul className={classes.hits}>
            {hits.map(({ rule, checks }) => (
              <li key={rule}>
                <span>{rule}</span>
                <strong>{formatCount(checks)}</strong>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

function Count({ cell }: { cell: Cell | undefined }) {
  if (!cell) return <span className={classes.none}>0</span>;
  const { before, after, checks, samples } = cell;
  if (samples.length === 0) return formatCount(checks);
  return (
    <Link
      to="/checks"
      search={{ ids: samples.join(',') }}
      aria-label={TEXTS.cell(plural(checks, 'check'), before, after)}
    >
      {formatCount(checks)}
    </Link>
  );
}
