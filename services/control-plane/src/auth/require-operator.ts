import type { Database } from '@verdict/db/database/client.js';
import { isOperator } from '@verdict/db/people/users.js';
import { forbidden } from '@verdict/service-kit/errors.js';
import type { FastifyRequest } from 'fastify';

/** After `authenticate`. The token does not say it: who is no operator any more is out at once. */
export async function requireOperator(db: Database, request: FastifyRequest): Promise<void> {
  if (!(await isOperator(db, request.caller.userId))) {
    throw forbidden('This area is for the people who run the service.');
  }
}
