import { createRootRoute, redirect } from '@tanstack/react-router';
import { movedTo } from '@verdict/contracts/pages.js';
import { GuestNotFound } from '../shell/GuestNotFound.tsx';

/** The parent of every route. Leads addresses of earlier releases on, with their query and hash. */
export const root = createRootRoute({
  beforeLoad: ({ location: { pathname, searchStr, hash } }) => {
    const to = movedTo(pathname);
    if (to) throw redirect({ href: `${to}${searchStr}${hash && `#${hash}`}`, replace: true });
  },
  notFoundComponent: GuestNotFound,
});
