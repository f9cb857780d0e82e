import { lazyRouteComponent } from '@tanstack/react-router';
import { connection } from '../api/connection.ts';

/** A page whose script or style did not arrive because the server was away. */
export class PageNotLoaded extends Error {
  constructor() {
    super('Cannot reach Verdict.');
  }
}

/** Once a file is missing, this document stays incomplete: the bundler asks for a style sheet only once. */
let isIncomplete = false;

/**
 * A page whose script is loaded when somebody opens it. Tells a server that is away from a script of an older release,
 * for which the router reloads the tab.
 */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(async () => {
    if (isIncomplete) throw new PageNotLoaded();
    try {
      return await load();
    } catch (error) {
      if (await connection.probe()) throw error;
      isIncomplete = true;
      throw new PageNotLoaded();
    }
  }, name);
