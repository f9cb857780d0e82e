import classes from './FactorBars.module.css';

export interface ShownFactor {
  readonly code: string;
  readonly points: number;
  readonly reason?: string;
  /** How often it met genuine people so far. */
  readonly labelled?: string;
}

const ABBREVIATIONS = /\b(?:dns|ip|mx|tld)\b/gi;

const words = (code: string): string => {
  const text = code.toLowerCase().replaceAll('_', ' ');
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return sentence.replace(ABBREVIATIONS, (one) => one.toUpperCase());
};

const signed = (points: number): string => (points < 0 ? `−${-points}` : `+${points}`);

/** Each bar begins where the one before ended, so that they visibly add up to the score. */
export function FactorBars({
  factors,
  score,
  texts,
}: {
  factors: readonly ShownFactor[];
  score: number;
  texts: { readonly total: string; readonly none: string };
}) {
  if (factors.length === 0) return <p className={classes.none}>{texts.none}</p>;
  const scored = factors.filter(({ points }) => points !== 0);
  const notes = factors.filter(({ points }) => points === 0);
  const steps = scored.map((factor, index) => {
    const before = scored.slice(0, index).reduce((sum, { points }) => sum + points, 0);
    return { ...factor, before, after: before + factor.points };
  });
  const highest = Math.max(100, ...steps.map(({ after }) => after));
  const lowest = Math.min(0, ...steps.map(({ after }) => after));
  const at = (points: number) => ((points - lowest) / (highest - lowest)) * 100;
  return (
    <ol className={classes.factors}>
      {steps.map(({ code, points, reason, labelled, before, after }) => (
        <li key={`${code} ${before}`} className={classes.factor}>
          <span className={classes.name} title={code}>
            {words(code)}
            {reason && <small>{reason}</small>}
            {labelled && <small>{labelled}</small>}
          </span>
          <span className={classes.lane} aria-hidden="true">
            <span
              className={classes.bar}
              data-down={points < 0 || undefined}
              style={{
                left: `${at(Math.min(before, after))}%`,
                width: `${Math.max(0.6, at(Math.max(before, after)) - at(Math.min(before, after)))}%`,
              }}
            />
          </span>
          <span className={classes.points}>{signed(points)}</span>
        </li>
      ))}
      <li className={classes.factor} data-total="">
        <span className={classes.name}>{texts.total}</span>
        <span className={classes.lane} aria-hidden="true">
          <span
            className={classes.bar}
            style={{ left: `${at(0)}%`, width: `${Math.max(0.6, at(score) - at(0))}%` }}
          />
        </span>
        <span className={classes.points}>{score}</span>
      </li>
      {notes.map(({ code, reason }) => (
        <li key={code} className={classes.none} title={code}>
          {reason ?? words(code)}
        </li>
      ))}
    </ol>
  );
}
