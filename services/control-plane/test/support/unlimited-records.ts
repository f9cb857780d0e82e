import type { Database } from '@verdict/db/database/client.js';
import type { RouteOptions } from 'fastify';

/** Notes the requests, by id, that may be repeated without an end. Deletions undo a change that was counted. */
export function noteUnlimited(route: RouteOptions, requests: Map<string, string>): void {
  const served = route.config?.route;
  if (!served || served.method === 'DELETE' || served.callers === 'operator') return;
  const { allowance } = served.takes;
  if (allowance === 'changes' || allowance === 'attempts') return;
  route.onRequest = [
    ...[route.onRequest ?? []].flat(),
    async (request) => void requests.set(request.id, `${request.method} ${route.url}`),
  ];
}

/** The records that they left in the audit log, which keeps each for good. */
export async function findRecords(
  db: Database,
  requests: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const records = await db.auditEvent.findMany({
    where: { requestId: { in: [...requests.keys()] } },
    select: { action: true, requestId: true },
  });
  return records.map(({ action, requestId }) => `${requests.get(requestId ?? '')} wrote ${action}`);
}
