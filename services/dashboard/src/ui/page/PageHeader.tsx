import { useEffect, useRef } from 'react';
import classes from './PageHeader.module.css';

/** The first page leaves the focus where browsers put it, so that Tab begins with the link that skips the navigation. */
let pagesShown = 0;

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
    const { activeElement: active } = document;
    if (pagesShown > 0 && (active === document.body || active?.closest('nav'))) {
      heading.current?.focus({ preventScroll: true });
    }
    pagesShown += 1;
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
