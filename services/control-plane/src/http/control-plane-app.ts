import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { BulkJobs } from '@verdict/db/bulk/bulk-jobs.js';
import type { Role } from '@verdict/domain/role.js';
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from 'fastify';

/** The caller and everything they may reach. */
export interface Caller {
  readonly userId: string;
  readonly sessionId: string;
  /** In the account of the request. */
  readonly role: Role;
  readonly account: AccountScope;
}

/** The caller of a route that also takes an API key: the key, the user, or both. */
export interface KeyCaller {
  readonly account: AccountScope;
  readonly keyId: string | null;
  readonly userId: string | null;
  /** All of the account for its users, its own for a key. */
  readonly jobs: BulkJobs;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hooks that authenticate; null on open routes. */
    authenticated: Caller | KeyCaller | null;
    /** The user. Throws on a route that authenticates none. */
    readonly caller: Caller;
    /** The key or the user. Throws on a route that takes no keys. */
    readonly keyCaller: KeyCaller;
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

export function decorateCallers(app: FastifyInstance): void {
  app.decorateRequest('authenticated', null);
  app.decorateRequest('caller', {
    getter() {
      if (this.authenticated && 'sessionId' in this.authenticated) return this.authenticated;
      throw new Error('this route authenticates no user');
    },
  });
  app.decorateRequest('keyCaller', {
    getter() {
      if (this.authenticated && 'jobs' in this.authenticated) return this.authenticated;
      throw new Error('this route takes no keys');
    },
  });
}
