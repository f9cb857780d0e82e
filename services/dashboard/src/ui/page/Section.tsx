import { useId } from 'react';
import classes from './Section.module.css';

/** A titled part of a page. */
export function Section({
  title,
  note,
  aside,
  children,
}: {
  title: string;
  note?: React.ReactNode;
  aside?: React.ReactNode;
  children?: React.ReactNode;
}) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <div className={classes.head}>
        <div>
          <h2 id={id}>{title}</h2>
          {note && <p>{note}</p>}
        </div>
        {aside && <div className={classes.aside}>{aside}</div>}
      </div>
      {children}
    </section>
  );
}
