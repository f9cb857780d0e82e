import { LARGE_BODIES } from '@verdict/contracts/api-paths.js';
import type { OpenApiDocument, Operation } from './openapi-document.js';

const FILE = {
  type: 'string',
  description: 'Columns `value` and `note`, as in `export.csv`; without a header, the first and the second',
};

/** An import is JSON, whose schema the route declares, or a file, which is turned into the same rows. */
export function withListFiles(paths: OpenApiDocument['paths']): OpenApiDocument['paths'] {
  const imports = LARGE_BODIES.filter(({ path }) => path.endsWith('/import/'));
  const taking = imports.flatMap(({ path }) => {
    const { post, ...others } = paths[path] ?? {};
    return post ? [[path, { ...others, post: withFile(post) }] as const] : [];
  });
  return { ...paths, ...Object.fromEntries(taking) };
}

function withFile(operation: Operation): Operation {
  const { content, ...rest } = operation.requestBody as { readonly content: object };
  return { ...operation, requestBody: { ...rest, content: { ...content, 'text/csv': { schema: FILE } } } };
}
