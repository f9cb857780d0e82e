import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';
import type { Stages } from './answers/stages.js';
import type { Credentials } from './auth/credentials.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Only on routes that asked for some; see credentialsOf. */
    credentials: Credentials | undefined;
    /** Only of requests for checks whose body was parsed. */
    stages: Stages | undefined;
  }
}

/** Fastify with the types of our schemas. */
export type GatewayApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
