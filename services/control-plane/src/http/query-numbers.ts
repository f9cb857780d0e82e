import type { FastifyRequest } from 'fastify';

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, { readonly type?: string }>>;
}

const WHOLE_NUMBER = /^-?\d{1,15}$/;

/**
 * Query strings have no numbers, and Ajv's coercion would also take null for "" in bodies: so only what a route's
 * query schema calls an integer is converted, before it is validated.
 */
export async function convertQueryNumbers(request: FastifyRequest): Promise<void> {
  const schema = request.routeOptions.schema?.querystring as ObjectSchema | undefined;
  const query = request.query as Record<string, unknown>;
  for (const [name, field] of Object.entries(schema?.properties ?? {})) {
    const text = query[name];
    if (field.type === 'integer' && typeof text === 'string' && WHOLE_NUMBER.test(text)) {
      query[name] = Number(text);
    }
  }
}
