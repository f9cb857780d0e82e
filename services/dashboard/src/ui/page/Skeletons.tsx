import classes from './Skeletons.module.css';

/** A skeleton in the shape of the table that comes, its head included. */
export function SkeletonRows({ rows = 8, label }: { rows?: number; label: string }) {
  return (
    <div className={classes.rows} role="status" aria-label={label}>
      {Array.from({ length: rows + 1 }, (_, index) => (
        <div key={index} className={classes.row}>
          <span style={{ width: `${34 - ((index * 7) % 13)}%` }} />
          <span style={{ width: `${16 - ((index * 5) % 7)}%` }} />
          <span style={{ width: '12%' }} />
        </div>
      ))}
    </div>
  );
}

/** A skeleton of a block with a known height, so that nothing moves when it comes. */
export function SkeletonBlock({
  height,
  phoneHeight = height,
  label,
}: {
  height: number;
  /** Where what comes is narrower and so higher. */
  phoneHeight?: number;
  label: string;
}) {
  const style = { '--height': `${height}px`, '--phone-height': `${phoneHeight}px` } as React.CSSProperties;
  return <div className={classes.block} style={style} role="status" aria-label={label} />;
}
