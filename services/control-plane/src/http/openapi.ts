import swagger from '@fastify/swagger';
import { CHECK_PATH, OPENAPI_PATH, STATUS_PATH, USAGE_PATH } from '@verdict/contracts/api-paths.js';
import { CheckBodySchema, CheckQuerySchema, CheckResultSchema } from '@verdict/contracts/check-api.js';
import { ErrorBodySchema, LimitErrorBodySchema } from '@verdict/contracts/error-api.js';
import { StatusResultSchema } from '@verdict/contracts/status-api.js';
import { UsageResultSchema } from '@verdict/contracts/usage-api.js';
import type { ControlPlaneApp } from './control-plane-app.js';

/** Describes the routes of this service from the schemas that validate them. To be registered before the routes. */
export async function registerOpenApi(app: ControlPlaneApp): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Verdict',
        version: '1.0.0',
        description: 'Email risk validation: a decision, a score, signals and reasons for an address.',
      },
      components: {
        securitySchemes: {
          api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
    hideUntagged: true,
    transform: ({ schema, url, route }) => {
      const security = route.config?.open ? [] : [{ bearer: [] }];
      return { schema: { ...schema, security }, url };
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject;
      const { openapiObject } = document;
      const own = openapiObject.paths;
      return { ...openapiObject, paths: { ...(validationPaths() as typeof own), ...own } };
    },
  });
}

export function openApiRoute(app: ControlPlaneApp): void {
  app.get(OPENAPI_PATH, { schema: { hide: true } }, async () => app.swagger());
}

/** The three endpoints that the gateway serves itself, from the schemas that it serves them with. */
function validationPaths(): Record<string, object> {
  const byKey = [{ api_key: [] }];
  const refusals = {
    401: json('Missing or invalid API key or token', ErrorBodySchema),
    403: json('The key is inactive or not owned by the caller', ErrorBodySchema),
    503: json('Not possible right now', ErrorBodySchema),
  };
  const limited = json('Monthly usage limit exceeded, or too fast', LimitErrorBodySchema);
  return {
    [CHECK_PATH]: {
      post: {
        tags: ['validation'],
        summary: 'Validate an address in real time',
        security: [{ api_key: [] }, { bearer: [] }],
        parameters: [
          { in: 'query', name: 'expand', required: false, schema: CheckQuerySchema.properties.expand },
        ],
        requestBody: { required: true, content: { 'application/json': { schema: CheckBodySchema } } },
        responses: {
          200: json('The verdict', CheckResultSchema),
          400: json('Invalid request body or parameters', ErrorBodySchema),
          ...refusals,
          429: limited,
        },
      },
    },
    [STATUS_PATH]: {
      get: {
        tags: ['validation'],
        summary: 'Is the API reachable and the key good? Which data is loaded?',
        security: byKey,
        responses: { 200: json('All is well', StatusResultSchema), ...refusals, 429: limited },
      },
    },
    [USAGE_PATH]: {
      get: {
        tags: ['validation'],
        summary: 'What the month has used',
        security: byKey,
        responses: { 200: json('The running month', UsageResultSchema), ...refusals },
      },
    },
  };
}

const json = (description: string, schema: object) => ({
  description,
  content: { 'application/json': { schema } },
});
