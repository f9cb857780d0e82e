import classes from './Wordmark.module.css';

export function Wordmark() {
  return (
    <span className={classes.wordmark}>
      <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
        <path className={classes.octagon} d="M10.2 2h11.6L30 10.2v11.6L21.8 30H10.2L2 21.8V10.2z" />
        <path className={classes.check} d="M9.5 16.5l4.5 4.5 8.5-9.5" />
      </svg>
      Verdict
    </span>
  );
}
