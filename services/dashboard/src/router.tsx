import { createRouter } from '@tanstack/react-router';
import { accountRoutes } from './routes/account-routes.ts';
import { docsRoutes } from './routes/docs-routes.ts';
import { guestRoutes } from './routes/guest-routes.ts';
import { operatorRoutes } from './routes/operator-routes.ts';
import { root } from './routes/root.ts';
import { app } from './routes/session-route.ts';
import { Crashed } from './shell/Crashed.tsx';

export const router = createRouter({
  routeTree: root.addChildren([
    ...guestRoutes,
    docsRoutes,
    app.addChildren([...accountRoutes, operatorRoutes]),
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultErrorComponent: ({ error }) => <Crashed error={error} />,
  defaultPendingMs: 200,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
