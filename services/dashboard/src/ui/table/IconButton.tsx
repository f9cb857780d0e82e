import classes from './IconButton.module.css';

/**
 * A sign without a word, for the rows of a table. A plain button with the browser's own hint: a row must stay cheap, and
 * what a component library puts around either costs more than all the rest of the row.
 */
export const IconButton = ({ label, ...props }: { label: string } & React.ComponentProps<'button'>) => (
  <button type="button" title={label} aria-label={label} {...props} className={classes.button} />
);
