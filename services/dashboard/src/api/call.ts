import type { ParamsOf, QueryOf, ReplyOf, SentBodyOf } from '@verdict/contracts/routes/route.js';
import type { Api } from '@verdict/contracts/routes/routes.js';
import { requestRaw } from './request.ts';
import type { Query } from './search-of.ts';

/** A route by its method and path, such as `GET /dashboard/keys/`. */
export type Call = keyof Api;
export type Reply<C extends Call> = ReplyOf<Api[C]>;
export type Body<C extends Call> = SentBodyOf<Api[C]>;
export type QueryFor<C extends Call> = QueryOf<Api[C]>;
/** Calls that read. */
export type Reading = Extract<Call, `GET ${string}`>;

/** Parts of a request that the route has. Those that it needs must be given. */
type Given<C extends Call> = Part<'params', ParamsOf<Api[C]>> &
  Part<'query', QueryOf<Api[C]>> &
  Part<'body', SentBodyOf<Api[C]>>;
type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [Each in Name]?: never }
  : object extends Value
    ? { readonly [Each in Name]?: Value }
    : { readonly [Each in Name]: Value };

export type Args<C extends Call> = object extends Given<C> ? [given?: Given<C>] : [given: Given<C>];

interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  readonly body?: unknown;
}

/** Where a call goes, for those who send it themselves. */
export interface Address {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly json?: unknown;
}

/** The address of a call with its parameters in place. */
export function addressOf<C extends Call>(call: C, ...[given]: Args<C>): Address {
  const { params = {}, query, body: json } = (given ?? {}) as Sent;
  const [method, path = ''] = call.split(' ') as [Address['method'], string];
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return { method, path: filled, ...(query && { query }), ...(json !== undefined && { json }) };
}

/** Calls a route of the API. The route types its parameters, query, body and reply. */
export function call<C extends Call>(call: C, ...args: Args<C>): Promise<Reply<C>> {
  return callWith(call, undefined, ...args);
}

/** The same for a query, which is canceled with its signal. */
export async function callWith<C extends Call>(
  call: C,
  signal: AbortSignal | undefined,
  ...args: Args<C>
): Promise<Reply<C>> {
  const response = await requestRaw({ ...addressOf(call, ...args), ...(signal && { signal }) });
  return (await response.json()) as Reply<C>;
}
