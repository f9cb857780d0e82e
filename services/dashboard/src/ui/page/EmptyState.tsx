import classes from './EmptyState.module.css';

/** Nothing here yet, and the next step. */
export function EmptyState({
  title,
  text,
  children,
}: {
  title: string;
  text: React.ReactNode;
  children?: React.ReactNode;
}) {
  return (
    <div className={classes.empty}>
      <strong>{title}</strong>
      <p>{text}</p>
      {children}
    </div>
  );
}
