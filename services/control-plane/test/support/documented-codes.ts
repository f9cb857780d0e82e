import type { RouteOptions } from 'fastify';
import { refusalsOf } from '../../src/openapi/refusals-of.js';

/** Notes each refusal that the document of a route lacks, as "POST /api/v1/jobs/ 413 too_many_rows". */
export function noteUndocumented(route: RouteOptions, missing: Set<string>): void {
  const served = route.config?.route;
  if (!served) return;
  const refusals: ReadonlyMap<string, readonly string[]> = refusalsOf(served);
  route.onSend = [
    ...[route.onSend ?? []].flat(),
    async (request, { statusCode }, payload) => {
      if (statusCode >= 400 && typeof payload === 'string') {
        const { code } = JSON.parse(payload);
        if (!refusals.get(String(statusCode))?.includes(code))
          missing.add(`${request.method} ${route.url} ${statusCode} ${code}`);
      }
      return payload;
    },
  ];
}
