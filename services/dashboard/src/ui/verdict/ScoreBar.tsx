import classes from './ScoreBar.module.css';
import { SCORE_BANDS } from './score-bands.ts';

/** The score on the four bands, with the figure beside it. */
export function ScoreBar({ score, marks = false }: { score: number; marks?: boolean }) {
  return (
    <div className={classes.score}>
      <div className={classes.track} role="img" aria-label={`Risk score ${score} of 100`}>
        {SCORE_BANDS.map(({ decision, from, to }) => (
          <span
            key={decision}
            className={classes.band}
            data-decision={decision}
            data-here={(score >= from && (score < to || to === 100)) || undefined}
            style={{ flexGrow: to - from }}
          />
        ))}
        <span className={classes.needle} style={{ left: `${score}%` }} />
      </div>
      {marks && (
        <div className={classes.marks} aria-hidden="true">
          {SCORE_BANDS.slice(1).map(({ from }) => (
            <span key={from} style={{ left: `${from}%` }}>
              {from}
            </span>
          ))}
        </div>
      )}
    </div>
  );
}
