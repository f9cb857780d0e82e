import type { Route } from '@verdict/contracts/routes/route.js';
import { CONTROL_PLANE_ROUTES } from '@verdict/contracts/routes/routes.js';
import { VALIDATION_ROUTES } from '@verdict/contracts/routes/validation-routes.js';
import { API_VERSION } from './api-version.js';
import { bodyNames, pascal, replyName } from './component-names.js';
import { HEADERS } from './headers.js';
import type { OpenApiDocument, Operation, Parameter, Reply } from './openapi-document.js';
import { documentedPath } from './operation-id.js';
import { operationOf } from './operation-of.js';
import { createSchemaWriter } from './schema-writer.js';
import { createSharedParts } from './shared-parts.js';
import { TAGS } from './tags.js';
import { MESSAGE_HEADERS, MESSAGE_REPLIES, webhookMessages } from './webhook-messages.js';
import { writeOnce } from './write-once.js';

const DESCRIPTION = `Email risk validation: a decision, a score from 0 to 100, signals and reasons for an address.

Every success carries \`success: true\`. Every failure, on every route, is JSON with \`error\` (a sentence for people) and \`code\` (stable, for programs). Paths work with and without the trailing slash. Fields may be added to answers; readers should ignore what they do not know.`;

/** The OpenAPI document of every route of the contract. */
export function buildDocument(): OpenApiDocument {
  const write = createSchemaWriter();
  const routes: readonly Route[] = [...Object.values(VALIDATION_ROUTES), ...CONTROL_PLANE_ROUTES];
  const operations = routes.map((route) => ({ route, operation: operationOf(route, write) }));
  const parameters = createSharedParts<Parameter>('parameters');
  const responses = createSharedParts<Reply>('responses');
  const bodies = createSharedParts<object>('requestBodies');
  for (const { route, operation } of operations) {
    const names = (name: string) => [name, `${pascal(route.tag)}${name}`];
    for (const parameter of operation.parameters) parameters.note(names(pascal(parameter.name)), parameter);
    if (operation.requestBody) bodies.note(bodyNames(operation.requestBody), operation.requestBody);
    for (const [status, reply] of Object.entries(operation.responses)) {
      const name = replyName(route, status, reply);
      if (name !== undefined) responses.note(names(name), reply);
    }
  }
  const paths: Record<string, Record<string, Operation>> = {};
  for (const {
    route,
    operation: { parameters: taken, ...operation },
  } of operations) {
    paths[documentedPath(route)] = {
      ...paths[documentedPath(route)],
      [route.method.toLowerCase()]: {
        ...operation,
        ...(taken.length > 0 && { parameters: taken.map(parameters.refer) }),
        ...(operation.requestBody && { requestBody: bodies.refer(operation.requestBody) }),
        responses: Object.fromEntries(
          Object.entries(operation.responses).map(([status, reply]) => [status, responses.refer(reply)]),
        ),
      },
    };
  }
  const webhooks = webhookMessages(write);
  return writeOnce({
    openapi: '3.1.0',
    info: {
      title: 'Verdict',
      version: API_VERSION,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      { url: '/', description: 'The server that this document came from' },
      { url: 'http://localhost:8080', description: 'A server that `npm start` runs' },
    ],
    tags: TAGS,
    security: [{ bearer: [] }],
    paths,
    webhooks,
    components: {
      securitySchemes: {
        api_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
      schemas: write.schemas,
      requestBodies: bodies.components(),
      responses: { ...responses.components(), ...MESSAGE_REPLIES },
      parameters: { ...parameters.components(), ...MESSAGE_HEADERS },
      headers: HEADERS,
    },
  });
}
