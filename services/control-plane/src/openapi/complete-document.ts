import { allowNewFields } from './allow-new-fields.js';
import { REFUSALS, WITH_RETRY_AFTER } from './error-replies-text.js';
import { header } from './header.js';
import { nameSchemas } from './name-schemas.js';
import type { OpenApiDocument, Operation, Reply } from './openapi-document.js';
import { operationId } from './operation-id.js';
import { shareReplies } from './share-replies.js';

const REQUEST_ID = { 'X-Request-Id': header('Names this request in our logs; tell it to support') };
const RETRY_AFTER = { 'Retry-After': header('Seconds to wait before the next try', 'integer') };
const ERROR = { $ref: '#/components/schemas/Error' };
const FILE_NAME = { 'Content-Disposition': header('A name for the file') };

/** Completes every operation: a name, the headers of its replies, and the codes of its refusals. */
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
  return shareReplies(nameSchemas({ ...document, tags, paths }));
}

const tagsOf = (operation: Operation): readonly string[] => operation.tags ?? [];

const completeOperation = (method: string, path: string, operation: Operation): Operation => ({
  operationId: operationId(method, path),
  ...operation,
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, reply]) => [status, completeReply(status, reply)]),
  ),
});

function completeReply(status: string, reply: Reply): Reply {
  const { content } = reply;
  const schema = content?.['application/json']?.schema as
    | { readonly 'x-codes'?: readonly string[] }
    | undefined;
  const codes = schema?.['x-codes'];
  const headers = {
    ...REQUEST_ID,
    ...(WITH_RETRY_AFTER.has(status) && RETRY_AFTER),
    ...(content && !content['application/json'] && FILE_NAME),
    ...reply.headers,
  };
  if (codes) {
    const description = `${REFUSALS[status]} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`;
    const { 'x-codes': _, ...own } = schema as object & { 'x-codes': unknown };
    const json = { ...content?.['application/json'], schema: 'anyOf' in own ? allowNewFields(own) : ERROR };
    return { ...reply, description, headers, content: { 'application/json': json } };
  }
  return {
    ...reply,
    description: reply.description === 'Default Response' ? 'Success' : reply.description,
    headers,
    ...(content ? { content: allowNewFields(content) } : {}),
  };
}
