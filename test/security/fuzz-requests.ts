import { pick } from '../failure/support/seeded-random.js';

/** One operation of the published document. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly fields: readonly string[];
}

export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string | undefined;
}

interface Document {
  readonly paths: Record<string, Record<string, unknown>>;
}

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Every operation, with all field names that its description mentions: what a curious client would try. */
export function readOperations(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, fields: fieldsOf(operation) })),
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
  credentials: readonly Record<string, string>[],
): FuzzRequest {
  const often = (share: number) => random() < share;
  const operation = pick(random, operations);
  const method = often(0.85) ? operation.method : pick(random, OTHER_METHODS);
  const word = () => encodeURIComponent(String(pick(random, VALUES)).replaceAll('\ud800', '')).slice(0, 300);
  let path = operation.path.replace(/\{\w+\}/g, () => word() || 'x');
  if (often(0.05)) path += word();
  if (often(0.3)) {
    const fields = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const name = operation.fields.length > 0 && often(0.8) ? pick(random, operation.fields) : word();
      return `${name}=${word()}`;
    });
    path += `?${fields.join('&')}`;
  }
  const headers: Record<string, string> = { ...pick(random, credentials) };
  if (often(0.1)) headers['idempotency-key'] = pick(random, ['a', 'x'.repeat(300), 'k"k', '1']);
  if (often(0.1)) headers['accept-language'] = pick(random, ['de', '*', 'x'.repeat(500)]);
  if (often(0.1)) headers['x-request-id'] = pick(random, ['r', 'x'.repeat(300), '{}']);
  if (method === 'GET' || method === 'HEAD' || method === 'TRACE')
    return { method, path, headers, body: undefined };
  if (often(0.95)) headers['content-type'] = often(0.9) ? 'application/json' : pick(random, TYPES);
  return { method, path, headers, body: often(0.1) ? pick(random, BODIES) : makeBody(random, operation) };
}

function makeBody(random: () => number, { fields }: Operation): string {
  const chosen = fields.filter(() => random() < 0.5);
  if (random() < 0.2) chosen.push(String(pick(random, VALUES)));
  return JSON.stringify(Object.fromEntries(chosen.map((field) => [field, pick(random, VALUES)])));
}
