import { useEffect } from 'react';
import { ConnectionBanner } from '../../shell/ConnectionBanner.tsx';
import { Wordmark } from '../../shell/Wordmark.tsx';
import classes from './SignedOutPage.module.css';

/** The frame of the pages before the login. */
export function SignedOutPage({ title, children }: { title: string; children: React.ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Verdict`;
  }, [title]);
  return (
    <main className={classes.page}>
      <div className={classes.box}>
        <Wordmark />
        <h1>{title}</h1>
        <ConnectionBanner />
        {children}
      </div>
    </main>
  );
}
