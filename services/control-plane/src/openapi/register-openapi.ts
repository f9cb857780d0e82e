import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import { OPENAPI_PATH } from '@verdict/contracts/api-paths.js';
import { compressAnswer } from '@verdict/service-kit/compress-answer.js';
import type { FastifyContextConfig } from 'fastify';
import type { ControlPlaneApp } from '../http/control-plane-app.js';
import { completeDocument } from './complete-document.js';
import { withListFiles } from './list-file-body.js';
import type { OpenApiDocument } from './openapi-document.js';
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
      servers: [{ url: '/', description: 'Where this document came from' }],
      tags: [
        { name: 'validation', description: 'The API for your backend, with an API key' },
        { name: 'jobs', description: 'Files of addresses, checked row by row; with an API key or a token' },
        { name: 'auth', description: 'Users, sessions and tokens' },
        { name: 'keys', description: 'API keys of the account' },
        { name: 'lists', description: "The account's own allow and block lists" },
        { name: 'logs', description: 'Checks that were made' },
        { name: 'usage', description: 'Counted checks' },
        { name: 'billing', description: 'Plan and closed months' },
        { name: 'webhooks', description: 'Webhook endpoints and deliveries' },
        { name: 'audit', description: 'The audit log' },
        { name: 'operator', description: 'For users whom an operator let in' },
      ],
      components: {
        securitySchemes: {
          api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      return { schema: { ...schema, security: securityOf(route.config) }, url };
    },
    transformObject: (found) => {
      if (!('openapiObject' in found)) return found.swaggerObject;
      const own = found.openapiObject as unknown as OpenApiDocument;
      const whole = { ...own, paths: { ...validationPaths(), ...withListFiles(withUpload(own.paths)) } };
      const document = { ...completeDocument(whole), webhooks: webhookMessages() };
      return document as unknown as typeof found.openapiObject;
    },
  });
}

const securityOf = (config: FastifyContextConfig | undefined) => {
  if (config?.open) return [];
  return config?.keyOrToken ? [{ api_key: [] }, { bearer: [] }] : [{ bearer: [] }];
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
