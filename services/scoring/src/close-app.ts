import type { FastifyInstance } from 'fastify';
import type { InFlight } from './in-flight.js';

/**
 * Stops listening, lets answers under way finish, then cuts what is left. Gateways keep connections open in advance that
 * never carried a request; Node does not count those as idle and would wait for them.
 */
export async function closeApp(app: FastifyInstance, inFlight: InFlight): Promise<void> {
  const closed = app.close();
  await inFlight.drained();
  app.server.closeAllConnections();
  await closed;
}
