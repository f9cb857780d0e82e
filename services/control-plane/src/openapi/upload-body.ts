import { JOBS_PATH } from '@verdict/contracts/api-paths.js';
import type { OpenApiDocument, Operation } from './openapi-document.js';

const FILE = { type: 'string', description: 'At most 100 MB, and as many rows as the plan takes' };

/** The body of an upload is read as it arrives and has no schema that a route could declare: it is described here. */
export function withUpload(paths: OpenApiDocument['paths']): OpenApiDocument['paths'] {
  const { post, ...others } = paths[JOBS_PATH] ?? {};
  if (!post) return paths;
  return { ...paths, [JOBS_PATH]: { ...others, post: { ...post, ...BODY, parameters: parametersOf(post) } } };
}

const BODY: Pick<Operation, 'requestBody'> = {
  requestBody: {
    required: true,
    content: {
      'text/csv': { schema: FILE },
      'application/x-ndjson': { schema: FILE },
      'application/json': {
        schema: {
          type: 'array',
          items: { type: ['object', 'string'] },
          description: 'Rows, or bare addresses',
        },
      },
      'multipart/form-data': {
        schema: {
          type: 'object',
          required: ['file'],
          description: 'Query parameters may also come here, before the file',
          properties: { file: { type: 'string', contentMediaType: 'text/csv' } },
        },
      },
    },
  },
};

const parametersOf = ({ parameters = [] }: Operation): object[] => [
  ...parameters,
  {
    in: 'header',
    name: 'Idempotency-Key',
    required: false,
    description: 'Your text: while the job exists, the same key returns the same job',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
];
