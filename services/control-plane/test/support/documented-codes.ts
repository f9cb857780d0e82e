import type { RouteOptions } from 'fastify';
import type { ControlPlaneApp } from '../../src/http/control-plane-app.js';
import type { OpenApiDocument, Reply } from '../../src/openapi/openapi-document.js';

/** Notes each refusal of a route that is documented, as "POST /api/v1/jobs/ 413 too_many_rows". */
export function noteCodes(route: RouteOptions, seen: Set<string>): void {
  if (!route.schema?.tags) return;
  route.onSend = [
    ...[route.onSend ?? []].flat(),
    async (request, { statusCode }, payload) => {
      if (statusCode >= 400 && typeof payload === 'string') {
        const { code } = JSON.parse(payload) as { code: string };
        seen.add(`${request.method} ${route.url.replaceAll(/:(\w+)/g, '{$1}')} ${statusCode} ${code}`);
      }
      return payload;
    },
  ];
}

const known = new WeakMap<ControlPlaneApp, ReadonlySet<string>>();

/** Every refusal that the document promises, in the same words. */
export function documentedCodes(app: ControlPlaneApp): ReadonlySet<string> {
  const standing = known.get(app);
  if (standing) return standing;
  const document = app.swagger() as unknown as OpenApiDocument;
  const shared = document.components.responses as Record<string, Reply>;
  const found = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, reply]) => {
        const name = '$ref' in reply ? String(reply.$ref).split('/').at(-1) : undefined;
        const { description = '' } = name === undefined ? reply : (shared[name] ?? {});
        const codes = [...(description.split('Codes: ')[1] ?? '').matchAll(/`(\w+)`/g)];
        return codes.map(([, code]) => `${method.toUpperCase()} ${path} ${status} ${code}`);
      }),
    ),
  );
  known.set(app, new Set(found));
  return new Set(found);
}
