import type { FastifyInstance } from 'fastify';
import type { InFlight } from './follow-requests.js';

/**
 * Stops listening, lets running answers finish, then closes the rest. Clients keep unused connections open that Node
 * does not count as idle and would wait for.
 */
export async function closeApp(app: FastifyInstance, inFlight: InFlight): Promise<void> {
  const closed = app.close();
  await inFlight.drained();
  app.server.closeAllConnections();
  await closed;
}
