import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import { OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import { compressAnswer } from '@verdict/service-kit/compress-answer.js';
import type { FastifyContextConfig } from 'fastify';
import type { ControlPlaneApp } from '../http/control-plane-app.js';
import { completeDocument } from './complete-document.js';
import { documentedReplies } from './documented-replies.js';
import { withListFiles } from './list-file-body.js';
import type { OpenApiDocument } from './openapi-document.js';
import { withRateLimits } from './rate-limit-headers.js';
import { withUpload } from './upload-body.js';
import { validationPaths } from './validation-paths.js';
import { webhookMessages } from './webhook-messages.js';

const DESCRIPTION = `Email risk validation: a decision, a score from 0 to 100, signals and reasons for an address.

Every success carries \`success: true\`. Every failure, on every route, is JSON with \`error\` (a sentence for people) and \`code\` (stable, for programs). Paths work with and without the trailing slash. Fields may be added to answers; readers should ignore what they do not know.`;

/** Describes the routes of this service from the schemas that validate them. To be registered before the routes. */
export async function registerOpenApi(app: ControlPlaneApp, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Verdict',
        version,
        description: DESCRIPTION,
        license: { name: 'MIT', identifier: 'MIT' } as { name: string },
      },
      servers: [
        { url: '/', description: 'The server that this document came from' },
        { url: 'http://localhost:8080', description: 'A server that `npm start` runs' },
      ],
      tags: [
        { name: 'validation', description: 'The API for your backend, with an API key' },
        { name: 'jobs', description: 'Files of addresses, checked row by row; with an API key or a token' },
        { name: 'auth', description: 'Users, sessions and tokens' },
        { name: 'keys', description: 'API keys of the account' },
        { name: 'lists', description: "The account's own allow and block lists" },
        { name: 'policies', description: "The account's own rules" },
        { name: 'logs', description: 'Checks that were made' },
        { name: 'usage', description: 'Counted checks' },
        { name: 'billing', description: 'Plan and closed months' },
        { name: 'webhooks', description: 'Webhook endpoints and deliveries' },
        { name: 'audit', description: 'The audit log' },
        { name: 'operator', description: 'For users whom an operator let in' },
      ],
      security: [{ bearer: [] }],
      components: {
        securitySchemes: {
          api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => ({
      schema: { ...schema, response: documentedReplies(route), ...securityOf(route.config) },
      url,
    }),
    transformObject: (found) => {
      if (!('openapiObject' in found)) return found.swaggerObject;
      // The plugin's types mean three versions of OpenAPI at a time; ours is the part of 3.1 that is read and written here.
      const given: object = found.openapiObject;
      const own = given as OpenApiDocument;
      const dashboard = withRateLimits(withListFiles(withUpload(own.paths)));
      const paths = { ...validationPaths(), ...dashboard };
      const document: object = completeDocument({ ...own, paths, webhooks: webhookMessages() });
      return document;
    },
  });
}

/** Empty is the default of the document, a token. */
const securityOf = (config: FastifyContextConfig | undefined) => {
  if (config?.open) return { security: [] };
  return config?.keyOrToken ? { security: [{ api_key: [] }, { bearer: [] }] } : {};
};

/** The document never changes while a release runs, so readers who have it get a 304. */
export function openApiRoute(app: ControlPlaneApp): void {
  let document: { readonly text: string; readonly tag: string } | undefined;
  app.get(OPENAPI_PATH, { schema: { hide: true }, onSend: compressAnswer }, async (request, reply) => {
    document ??= tagged(JSON.stringify(app.swagger()));
    const { text, tag } = document;
    reply.header('cache-control', 'no-cache').header('etag', tag);
    if (request.headers['if-none-match']?.includes(tag)) return reply.code(304).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
}

const tagged = (text: string) => ({
  text,
  tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`,
});
