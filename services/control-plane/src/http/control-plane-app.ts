import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { AccountScope } from '@verdict/db/account-scope.js';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';

/** Who calls, and all that they may reach. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
  readonly account: AccountScope;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** No token needed. */
    open?: boolean;
  }
  interface FastifyRequest {
    /** Set by `authenticate`, and only there. */
    caller: Caller;
  }
}

/** Fastify with the types of our schemas. */
export type ControlPlaneApp = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;
