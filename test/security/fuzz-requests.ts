import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { pick } from '../failure/support/seeded-random.js';
import { grammaticalBody } from './fuzz-bodies.js';

interface Reply {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, { readonly schema: TSchema }>>;
}

/** One operation of the published document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
  /** Of a JSON body. */
  readonly schema: TSchema | undefined;
  /** Whether a key or a token opens it. */
  readonly opens: Readonly<Record<'key' | 'token', boolean>>;
  /** By status. */
  readonly replies: Readonly<Record<string, Reply>>;
}

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
  /** The operation that it calls; undefined where method or path are none of the document's. */
  readonly operation: Operation | undefined;
}

/** The document, without references. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

interface Described {
  readonly responses: Operation['replies'];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: TSchema }>> };
  /** A token, when left out. */
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

/** Credentials that are good, and those that are not. */
export interface Credentials {
  readonly key: Readonly<Record<string, string>>;
  readonly token: Readonly<Record<string, string>>;
  readonly any: readonly Readonly<Record<string, string>>[];
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Every operation, with all field names that its description mentions: what a curious client would try. */
export function readOperations(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({
        method: method.toUpperCase(),
        path,
        fields: fieldsOf(operation),
        schema: operation.requestBody?.content['application/json']?.schema,
        opens: {
          key: operation.security?.some((one) => 'api_key' in one) ?? false,
          token: operation.security?.some((one) => 'bearer' in one) ?? true,
        },
        replies: operation.responses,
      })),
  );
}

function fieldsOf(operation: unknown): string[] {
  const names = JSON.stringify(operation).matchAll(/"properties":\{"(\w+)"|"(\w+)":\{"type"|"name":"(\w+)"/g);
  return [...new Set([...names].map(([, ...found]) => found.find((name) => name !== undefined) ?? 'name'))];
}

/** Values that broke somebody's parser once. */
const VALUES: readonly unknown[] = [
  '',
  'a',
  'jane@gmail.com',
  'x'.repeat(5000),
  '\u0000',
  '\ud800',
  '💥',
  "' OR 1=1 --",
  '%{7*7}',
  '../../etc/passwd',
  '%00',
  '2026-02-30',
  '2026-11-15T00:00:00Z',
  '=cmd()',
  '__proto__',
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  true,
  false,
  null,
  [],
  {},
  [[[[[[]]]]]],
  { $ne: null },
  { constructor: { prototype: { admin: true } } },
  ['jane@gmail.com', 1, null],
];
const BODIES = [
  '',
  '{',
  '[]',
  'null',
  '"x"',
  '{"a":1,"a":2}',
  '\ufeff{}',
  '{"__proto__":{"x":1}}',
  '\u0000',
  '1e999',
];
const TYPES = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'text/csv',
  'a',
];
const OTHER_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE'];

export function makeRequest(
  random: () => number,
  operations: readonly Operation[],
  credentials: Credentials,
): FuzzRequest {
  const often = (share: number) => random() < share;
  const chosen = pick(random, operations);
  const method = often(0.85) ? chosen.method : pick(random, OTHER_METHODS);
  const word = () =>
    often(0.2)
      ? '1'
      : encodeURIComponent(String(pick(random, VALUES)).replaceAll('\ud800', '')).slice(0, 300);
  let path = chosen.path.replace(/\{\w+\}/g, () => word() || 'x');
  const isLonger = often(0.05);
  if (isLonger) path += word();
  const operation = method === chosen.method && !isLonger ? chosen : undefined;
  if (often(0.3)) {
    const fields = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const name = chosen.fields.length > 0 && often(0.8) ? pick(random, chosen.fields) : word();
      return `${name}=${word()}`;
    });
    path += `?${fields.join('&')}`;
  }
  const good = chosen.opens.token && (!chosen.opens.key || often(0.5)) ? credentials.token : credentials.key;
  const headers: Record<string, string> = { ...(often(0.7) ? good : pick(random, credentials.any)) };
  if (often(0.1)) headers['idempotency-key'] = pick(random, ['a', 'x'.repeat(300), 'k"k', '1']);
  if (often(0.1)) headers['accept-language'] = pick(random, ['de', '*', 'x'.repeat(500)]);
  if (often(0.1)) headers['x-request-id'] = pick(random, ['r', 'x'.repeat(300), '{}']);
  if (method === 'GET' || method === 'HEAD' || method === 'TRACE')
    return { method, path, headers, body: undefined, operation };
  if (often(0.6)) {
    const { type, text } = grammaticalBody(random, chosen.path, chosen.schema);
    return { method, path, headers: { ...headers, 'content-type': type }, body: text, operation };
  }
  if (often(0.95)) headers['content-type'] = often(0.9) ? 'application/json' : pick(random, TYPES);
  const body = often(0.1) ? pick(random, BODIES) : makeBody(random, chosen);
  return { method, path, headers, body, operation };
}

function makeBody(random: () => number, { fields }: Operation): string {
  const chosen = fields.filter(() => random() < 0.5);
  if (random() < 0.2) chosen.push(String(pick(random, VALUES)));
  return JSON.stringify(Object.fromEntries(chosen.map((field) => [field, pick(random, VALUES)])));
}

interface FuzzAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The promise of the document that an answer breaks: its status, its headers, its code or its body. */
export function brokenPromise({ replies }: Operation, answer: FuzzAnswer): string | undefined {
  const { status, headers, text } = answer;
  const reply = replies[status];
  if (!reply) return `${status} is not documented: ${text.slice(0, 200)}`;
  const documented = new Set(Object.keys(reply.headers ?? {}).map((name) => name.toLowerCase()));
  if (headers['x-request-id'] === undefined) return `${status} without X-Request-Id`;
  const silent = Object.keys(headers).find((name) => PROMISED.test(name) && !documented.has(name));
  if (silent !== undefined) return `${status} has ${silent}, which is not documented`;
  const schema = reply.content?.['application/json']?.schema;
  if (!schema || !String(headers['content-type']).includes('json')) return undefined;
  const body = JSON.parse(text) as { code?: string };
  const [fault] = Value.Errors(schema, body);
  if (fault) return `${status} against its schema: ${fault.instancePath} ${fault.message}`;
  const codes = reply.description.split('Codes: ')[1];
  const isKnown = codes === undefined || codes.includes(`\`${body.code}\``);
  return isKnown ? undefined : `${status} ${body.code} is not documented`;
}

const PROMISED = /^(ratelimit-|x-quota-|retry-after|content-disposition|idempotent-replayed)/;
