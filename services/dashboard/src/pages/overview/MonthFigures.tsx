import type { Overview } from '../../api/usage.ts';
import { formatCount, formatLongDay, formatShare } from '../../ui/format/format.ts';
import { runsOutOn } from '../../ui/quota/forecast.ts';
import { QuotaBar } from '../../ui/quota/QuotaBar.tsx';
import classes from './MonthFigures.module.css';

/** The month at a glance: what is used, what is left, how much was blocked. */
export function MonthFigures({ overview }: { overview: Overview }) {
  const { checks_used: used, checks_limit: limit, checks_remaining: left, by_decision: by } = overview;
  const counted = by.allow + by.challenge + by.review + by.block;
  const { start, end } = overview.period;
  const out = runsOutOn({ used, limit, start, end }, Date.now());
  return (
    <dl className={classes.figures}>
      <div className={classes.quota}>
        <dt>Checks this month</dt>
        <dd>
          <span className={classes.figure}>{formatCount(used)}</span>
          <span className={classes.of}>of {formatCount(limit)}</span>
          <span className={classes.left}>{formatCount(left)} left</span>
        </dd>
        <dd>
          <QuotaBar used={used} limit={limit} />
        </dd>
        <dd className={classes.note}>
          {`Resets on ${formatLongDay(overview.resets_at)}, 00:00 UTC.`}{' '}
          {out && `At this pace they last until ${formatLongDay(out)}.`}
        </dd>
      </div>
      <div>
        <dt>Block rate</dt>
        <dd className={classes.figure}>{formatShare(by.block, counted)}</dd>
        <dd className={classes.note}>of this month’s checks</dd>
      </div>
    </dl>
  );
}
