import { createRoute } from '@tanstack/react-router';
import { meQuery } from '../api/account.ts';
import { queryClient } from '../api/query-client.ts';
import { requireSession } from '../shell/gate.ts';
import { Shell } from '../shell/Shell.tsx';
import { root } from './root.ts';

/** The parent of every route that needs a session. */
export const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: ({ location }) => requireSession(location),
  loader: () => void queryClient.prefetchQuery(meQuery),
  component: Shell,
});
