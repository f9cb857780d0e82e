import { formatCount } from '../format/format.ts';
import classes from './QuotaBar.module.css';

/** How much of a limit is used. */
export function QuotaBar({ used, limit }: { used: number; limit: number }) {
  const share = limit === 0 ? 1 : Math.min(1, used / limit);
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> cannot be given our colours in every browser
    <div
      className={classes.track}
      role="meter"
      aria-label="Checks used"
      aria-valuemin={0}
      aria-valuemax={limit}
      aria-valuenow={Math.min(used, limit)}
      aria-valuetext={`${formatCount(used)} of ${formatCount(limit)}`}
    >
      <div
        className={classes.fill}
        data-level={share >= 1 ? 'full' : share > 0.9 ? 'near' : undefined}
        style={{ width: `${Math.max(share * 100, used > 0 ? 0.5 : 0)}%` }}
      />
    </div>
  );
}
