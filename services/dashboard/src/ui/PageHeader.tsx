import { useEffect, useRef } from 'react';
import classes from './PageHeader.module.css';

/** One h1 and at most one primary action. The heading takes the focus when the page is reached from another. */
export function PageHeader({
  title,
  intro,
  children,
}: {
  title: string;
  intro?: React.ReactNode;
  children?: React.ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Verdict`;
    if (document.activeElement === document.body || document.activeElement?.closest('nav')) {
      heading.current?.focus({ preventScroll: true });
    }
  }, [title]);
  return (
    <header className={classes.header}>
      <div className={classes.words}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {intro && <p>{intro}</p>}
      </div>
      {children && <div className={classes.actions}>{children}</div>}
    </header>
  );
}
