import type { FastifyInstance } from 'fastify';
import type { InFlight } from './follow-requests.js';

/**
 * Stops listening, lets answers under way finish, then cuts what is left. Clients keep connections open that carry
 * nothing, some in advance of their first request; Node does not count those as idle and would wait for them.
 */
export async function closeApp(app: FastifyInstance, inFlight: InFlight): Promise<void> {
  const closed = app.close();
  await inFlight.drained();
  app.server.closeAllConnections();
  await closed;
}
