import type { Overview } from '../../api/usage.ts';
import { formatCount, formatLongDay, formatShare } from '../../ui/format/format.ts';
import { runsOutOn } from '../../ui/quota/forecast.ts';
import { QuotaBar } from '../../ui/quota/QuotaBar.tsx';
import classes from './MonthFigures.module.css';
import { OVERVIEW_TEXTS as TEXTS } from './texts.ts';

/** The month at a glance: what is used, what is left, how much was blocked. */
export function MonthFigures({ overview }: { overview: Overview }) {
  const { checks_used: used, checks_limit: limit, checks_remaining: left, by_decision: by } = overview;
  const counted = by.allow + by.challenge + by.review + by.block;
  const { start, end } = overview.period;
  const out = runsOutOn({ used, limit, start, end }, Date.now());
  const live = overview.keys.filter(({ status }) => status === 'active').length;
  return (
    <dl className={classes.figures}>
      <div className={classes.quota}>
        <dt>{TEXTS.quota}</dt>
        <dd>
          <span className={classes.figure}>{formatCount(used)}</span>
          <span className={classes.of}>
            {TEXTS.quotaOf} {formatCount(limit)}
          </span>
          <span className={classes.left}>
            {formatCount(left)} {TEXTS.left}
          </span>
        </dd>
        <dd>
          <QuotaBar used={used} limit={limit} />
        </dd>
        <dd className={classes.note}>
          {TEXTS.resets(formatLongDay(overview.resets_at))} {out && TEXTS.lasts(formatLongDay(out))}
        </dd>
      </div>
      <div>
        <dt>{TEXTS.blockRate}</dt>
        <dd className={classes.figure}>{formatShare(by.block, counted)}</dd>
        <dd className={classes.note}>{TEXTS.blockRateNote}</dd>
      </div>
      <div>
        <dt>{TEXTS.keys}</dt>
        <dd>
          <span className={classes.figure}>{live}</span>
          <span className={classes.of}>
            {TEXTS.keysOf} {overview.keys_max}
          </span>
        </dd>
        <dd className={classes.note}>{TEXTS.plan(overview.plan)}</dd>
      </div>
      <div>
        <dt>{TEXTS.entries}</dt>
        <dd className={classes.figure}>
          {formatCount(overview.list_entries.allow)} · {formatCount(overview.list_entries.block)}
        </dd>
        <dd className={classes.note}>{TEXTS.entriesNote}</dd>
      </div>
    </dl>
  );
}
