import classes from './StateMark.module.css';

/** How an endpoint or a delivery stands: by word, and by the form before it. */
export const StateMark = ({
  state,
  children,
}: {
  state: 'good' | 'waiting' | 'off' | 'bad';
  children: React.ReactNode;
}) => (
  <span className={classes.mark} data-state={state}>
    {children}
  </span>
);
