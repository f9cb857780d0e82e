import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';
import { connection } from '../api/connection.ts';

/**
 * A page whose script is loaded when somebody opens it. Reports a server that is away, because the router takes every
 * script it cannot load for one of an older release and reloads the tab, which then shows the browser's own error.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(
    () =>
      load().catch(async (error: unknown) => {
        throw (await connection.probe()) ? error : ApiError.unreachable();
      }),
    name,
  );
