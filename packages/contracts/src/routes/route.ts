import type { KeyScope } from '@verdict/domain/key-words.js';
import type { Static, TObject, TSchema } from 'typebox';
import type { ErrorCode, ErrorStatus } from '../error-codes.js';
import type { FileReply } from './file-replies.js';
import type { Takes } from './takes.js';

/** A route of the API: services attach a handler to it, callers take their types from it, openapi.json describes it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below /api/v1, with `:id` for a parameter. */
  readonly path: `/${string}`;
  readonly callers: Callers;
  /** The most that a request takes; services hold it to that. */
  readonly takes: Takes;
  /** The scope that a calling key needs. */
  readonly scope?: KeyScope;
  /** Users of a suspended account may call it, though it changes something. */
  readonly whileSuspended?: true;
  /** Only computes an answer, though its method is not GET. */
  readonly changesNothing?: true;
  readonly tag: Tag;
  readonly summary: string;
  readonly description: string;
  readonly params?: TObject;
  readonly query?: TObject;
  /** Described only; the handler judges them. */
  readonly headers?: TObject;
  readonly body?: TSchema;
  /** The body that callers should send, where `body` also takes items that are refused one by one. */
  readonly documentedBody?: TSchema;
  /** Bodies of other media types; the handler reads them. */
  readonly files?: FileReply['content'];
  /** Successes by status. */
  readonly replies: Readonly<Record<number, TSchema | FileReply>>;
  /** Replaces "Success" where that says too little. */
  readonly replyDescription?: string;
  /** Refusals of this route, by code; a status means its first one. Those that callers, method and path imply are not listed. */
  readonly codes?: readonly (ErrorStatus | ErrorCode)[];
  /** The name in generated clients, where the one made from method and path is too long. */
  readonly operationId?: string;
}

export type Callers = 'anyone' | 'user' | 'operator' | 'key' | 'key or user';

export type Tag =
  | 'validation'
  | 'jobs'
  | 'auth'
  | 'keys'
  | 'lists'
  | 'policies'
  | 'logs'
  | 'outcomes'
  | 'usage'
  | 'billing'
  | 'webhooks'
  | 'hooks'
  | 'members'
  | 'audit'
  | 'operator';

/** Keeps the exact type of a route, from which the types of its handler and its callers are made. */
export const route = <const R extends Route>(value: R): R => value;

type Part<R, P extends keyof Route> = R extends { readonly [Each in P]: infer S extends TSchema }
  ? Static<S>
  : undefined;
export type ParamsOf<R> = Part<R, 'params'>;
export type QueryOf<R> = Part<R, 'query'>;
/** The body as the handler gets it. */
export type BodyOf<R> = Part<R, 'body'>;
/** The body as a caller sends it. */
export type SentBodyOf<R> = R extends { readonly documentedBody: TSchema }
  ? Part<R, 'documentedBody'>
  : Part<R, 'body'>;

/** The JSON successes by status. */
export type RepliesOf<R> = R extends { readonly replies: infer S }
  ? { [Status in keyof S]: S[Status] extends TSchema ? Static<S[Status]> : never }
  : never;
/** Any JSON success. */
export type ReplyOf<R> = RepliesOf<R>[keyof RepliesOf<R>];
