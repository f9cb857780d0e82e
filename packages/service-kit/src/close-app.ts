import type { FastifyInstance } from 'fastify';

/** Answers under way, so that stopping can wait for them and for nothing else. */
export interface InFlight {
  drained(): Promise<void>;
}

/** Counts the requests of a listener from their arrival to the end of their answer. */
export function countInFlight(app: FastifyInstance): InFlight {
  let open = 0;
  let waiting: (() => void)[] = [];
  const ended = () => {
    open--;
    if (open > 0 || waiting.length === 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  app.addHook('onRequest', (_request, reply, done) => {
    open++;
    // 'close' and not onResponse, which never comes for a client that hung up before its answer.
    reply.raw.on('close', ended);
    done();
  });
  return {
    async drained() {
      if (open > 0) await new Promise<void>((resolve) => waiting.push(resolve));
    },
  };
}

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
