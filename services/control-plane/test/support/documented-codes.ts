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

const documented = new Set<string>();

/** The refusals that the document lacks. A file reads the document once, because making it takes as long as many tests. */
export function undocumentedCodes(app: ControlPlaneApp, seen: ReadonlySet<string>): string[] {
  const unknown = () => [...seen].filter((code) => !documented.has(code));
  if (unknown().length > 0) for (const code of readDocument(app)) documented.add(code);
  return unknown();
}

/** Every refusal that the document promises, in the same words. */
function readDocument(app: ControlPlaneApp): string[] {
  const document = app.swagger() as unknown as OpenApiDocument;
  const shared = document.components.responses as Record<string, Reply>;
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, reply]) => {
        const name = '$ref' in reply ? String(reply.$ref).split('/').at(-1) : undefined;
        const { description = '' } = name === undefined ? reply : (shared[name] ?? {});
        const codes = [...(description.split('Codes: ')[1] ?? '').matchAll(/`(\w+)`/g)];
        return codes.map(([, code]) => `${method.toUpperCase()} ${path} ${status} ${code}`);
      }),
    ),
  );
}
