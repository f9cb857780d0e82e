import type { RouteOptions } from 'fastify';
import { documentedReplies } from '../../src/openapi/documented-replies.js';

/** Notes each refusal that the document of a route lacks, as "POST /api/v1/jobs/ 413 too_many_rows". */
export function noteUndocumented(route: RouteOptions, missing: Set<string>): void {
  if (!route.schema?.tags) return;
  const replies = documentedReplies(route);
  route.onSend = [
    ...[route.onSend ?? []].flat(),
    async (request, { statusCode }, payload) => {
      if (statusCode >= 400 && typeof payload === 'string') {
        const { code } = JSON.parse(payload);
        if (!replies[statusCode]?.['x-codes']?.includes(code))
          missing.add(`${request.method} ${route.url} ${statusCode} ${code}`);
      }
      return payload;
    },
  ];
}
