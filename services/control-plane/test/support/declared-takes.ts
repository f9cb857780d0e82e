import type { RouteOptions } from 'fastify';

/** Notes each answer that takes more than its route declares, as "GET /api/v1/jobs/ answered 300000 bytes". */
export function noteUndeclared(route: RouteOptions, exceeded: Set<string>): void {
  const served = route.config?.route;
  if (!served) return;
  const { bytesOut, rows } = served.takes;
  route.onSend = [
    ...[route.onSend ?? []].flat(),
    async (request, reply, payload) => {
      if (typeof payload !== 'string') return payload;
      const bytes = Buffer.byteLength(payload);
      const name = `${request.method} ${route.url}`;
      if (bytes > bytesOut) exceeded.add(`${name} answered ${bytes} bytes`);
      if (String(reply.getHeader('content-type')).startsWith('application/json')) {
        for (const [field, value] of Object.entries(JSON.parse(payload))) {
          if (Array.isArray(value) && value.length > rows)
            exceeded.add(`${name} answered ${value.length} of ${field}`);
        }
      }
      return payload;
    },
  ];
}
