import { notFound, redirect } from '@tanstack/react-router';
import { isPage } from '@verdict/contracts/pages.js';
import { session } from '../api/session.ts';

let seenIn = false;

/** Lets only a live session pass. A new tab asks for one with the cookie of the browser. */
export async function requireSession({ href, pathname }: { href: string; pathname: string }): Promise<void> {
  if (session.state() === 'unknown') await session.renew(null);
  if (session.state() === 'in') {
    seenIn = true;
    return;
  }
  if (!isPage(pathname)) throw notFound();
  const ended = seenIn && !session.left;
  seenIn = false;
  throw redirect({
    to: '/login',
    search: { ...(href === '/' || session.left ? {} : { next: href }), ...(ended ? { ended: true } : {}) },
  });
}

/** For a page that looks different with a session: asks for one with the cookie of the browser. */
export async function knowSession(): Promise<void> {
  if (session.state() === 'unknown') await session.renew(null).catch(() => false);
}

/** The pages for strangers are not for somebody who is logged in. */
export async function requireNoSession(next: string | undefined): Promise<void> {
  await knowSession();
  if (session.state() === 'in') throw redirect({ href: next ?? '/' });
}
