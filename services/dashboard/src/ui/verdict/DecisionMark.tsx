import type { Decision } from '@verdict/domain/decision.js';
import classes from './DecisionMark.module.css';

const SHAPES: Record<Decision, React.ReactNode> = {
  allow: (
    <>
      <circle cx="8" cy="8" r="7" />
      <path className={classes.sign} d="M4.8 8.3l2.2 2.2 4.2-4.7" />
    </>
  ),
  challenge: (
    <>
      <path d="M8 1.2 15.4 14.6H.6z" />
      <path className={classes.sign} d="M8 6.2v3.6M8 12v.3" />
    </>
  ),
  review: (
    <>
      <path d="M8 .6 15.4 8 8 15.4.6 8z" />
      <path className={classes.sign} d="M5.4 8h5.2" />
    </>
  ),
  block: (
    <>
      <path d="M5 1h6l4 4v6l-4 4H5l-4-4V5z" />
      <path className={classes.sign} d="M5.6 5.6l4.8 4.8M10.4 5.6l-4.8 4.8" />
    </>
  ),
};

/** The shape alone; always beside a word. */
export function DecisionShape({ decision, size = 14 }: { decision: Decision; size?: number }) {
  return (
    <svg
      className={classes.shape}
      data-decision={decision}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      aria-hidden="true"
    >
      {SHAPES[decision]}
    </svg>
  );
}

/** A decision, everywhere: by word, shape and colour. */
export function DecisionMark({ decision, large = false }: { decision: Decision; large?: boolean }) {
  return (
    <span className={classes.mark} data-decision={decision} data-large={large || undefined}>
      <DecisionShape decision={decision} size={large ? 26 : 14} />
      {decision}
    </span>
  );
}
