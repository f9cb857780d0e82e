import { ErrorBodySchema } from '@verdict/contracts/error-api.js';
import { allowNewFields } from './allow-new-fields.js';
import { REFUSALS, WITH_RETRY_AFTER } from './error-replies-text.js';
import { header } from './header.js';
import { nameSchemas } from './name-schemas.js';
import type { OpenApiDocument, Operation, Reply } from './openapi-document.js';
import { operationId } from './operation-id.js';

const REQUEST_ID = { 'X-Request-Id': header('Names this request in our logs; tell it to support') };
const RETRY_AFTER = { 'Retry-After': header('Seconds to wait before the next try', 'integer') };

/** Completes every operation: a name, the request id, and the errors that any route can answer. */
export function completeDocument(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.fromEntries(
    Object.entries(document.paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method,
          completeOperation(method, path, operation),
        ]),
      ),
    ]),
  );
  const used = new Set(Object.values(paths).flatMap((each) => Object.values(each).flatMap(tagsOf)));
  const tags = (document.tags ?? []).filter(({ name }) => used.has(name));
  return nameSchemas({ ...document, tags, paths });
}

const tagsOf = (operation: Operation): readonly string[] => operation.tags ?? [];

function completeOperation(method: string, path: string, operation: Operation): Operation {
  const always = ['500', ...(operation.requestBody ? ['413', '415'] : [])];
  const added = Object.fromEntries(
    always.map((status): [string, Reply] => [
      status,
      { description: '', content: { 'application/json': { schema: ErrorBodySchema } } },
    ]),
  );
  const responses = Object.entries({ ...added, ...operation.responses }).map(([status, reply]) => [
    status,
    completeReply(status, reply),
  ]);
  return {
    operationId: operationId(method, path),
    ...operation,
    responses: Object.fromEntries(responses) as Record<string, Reply>,
  };
}

function completeReply(status: string, reply: Reply): Reply {
  return {
    ...reply,
    description:
      REFUSALS[status] ?? (reply.description === 'Default Response' ? 'Success' : reply.description),
    headers: { ...REQUEST_ID, ...(WITH_RETRY_AFTER.has(status) ? RETRY_AFTER : {}), ...reply.headers },
    ...(reply.content ? { content: allowNewFields(reply.content) } : {}),
  };
}
