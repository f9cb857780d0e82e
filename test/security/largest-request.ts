import { ROW_CHARS_MAX } from '@verdict/contracts/jobs-api.js';
import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import type { Route } from '@verdict/contracts/routes/route.js';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';

export interface LargestRequest {
  readonly method: Route['method'];
  /** Below the prefix, with the query that asks for most. */
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
}

/** A schema as JSON Schema words have it. */
interface Words {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly maxItems?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, TSchema>>;
}

const FILE_ROWS = 120;

/** The request to a route with the largest body, the longest words and the most items that its declaration and schema allow. */
export function largestRequest(route: Route, ids: Readonly<Record<string, string>> = {}): LargestRequest {
  const { method, path, body, documentedBody, files, query, takes, tag } = route;
  const id = (name: string) => (name === 'id' ? ids[tag] : ids[name]) ?? '1';
  const asked = Object.entries<Words>(query?.properties ?? {})
    .filter(([name]) => name === 'limit' || name === 'value' || query?.required?.includes(name))
    .map(([name, { maximum, enum: words }]) => `${name}=${words?.at(-1) ?? maximum ?? 'gmail.com'}`);
  const request = {
    method,
    path: `${path.slice(1).replaceAll(/:(\w+)/g, (_, name: string) => id(name))}${asked.length > 0 ? `?${asked.join('&')}` : ''}`,
  };
  if (!body && files && tag === 'jobs') return { ...request, body: wideFile(), type: 'text/csv' };
  const schema = documentedBody ?? body;
  if (!schema) return request;
  return {
    ...request,
    body: JSON.stringify(largestOf(schema, '', 0, takes.bytesIn - 512)),
    type: 'application/json',
  };
}

/** Rows as wide as they may be. */
export const wideFile = (rows = FILE_ROWS, addressOf = (i: number) => `p${i}@gmail.com`): string =>
  `email,pad\n${Array.from({ length: rows }, (_, i) => `${addressOf(i)},${'x'.repeat(ROW_CHARS_MAX - 50)}\n`).join('')}`;

/** The largest policy: as many rules and bytes as there may be, each with the longest name. */
export const longestRules = (count = POLICY_LANGUAGE.limits.rules): object[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `${i}`.padEnd(POLICY_LANGUAGE.limits.nameChars, 'x'),
    when: {
      any: [{ field: 'domain', op: 'in', value: [`a${i}`, `b${i}`].map((one) => `${one}${DOMAIN}`) }],
    },
    then: { watch: true },
  }));

const DOMAIN = `.${`${'x'.repeat(50)}.`.repeat(4)}example`;

function largestOf(schema: TSchema, name: string, i: number, bytes: number): unknown {
  if (name === 'rules') return longestRules();
  const words = schema as Words;
  if (words.const !== undefined) return words.const;
  if (words.enum) return words.enum[i % words.enum.length];
  if (words.anyOf) {
    const largest = words.anyOf.map((one) => largestOf(one, name, i, bytes));
    return largest.sort((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];
  }
  if (words.type === 'array') {
    const one = () => largestOf(words.items as TSchema, name, i, 4_096);
    const fitting = Math.floor(bytes / (JSON.stringify(one()).length + 8));
    return Array.from({ length: Math.max(1, Math.min(words.maxItems ?? fitting, fitting)) }, (_, at) =>
      largestOf(words.items as TSchema, name, at, 4_096),
    );
  }
  if (words.type === 'object')
    return Object.fromEntries(
      Object.entries(words.properties ?? {}).map(([field, of]) => [field, largestOf(of, field, i, bytes)]),
    );
  if (words.type === 'integer' || words.type === 'number') return words.maximum ?? 1_000_000_000;
  if (words.type === 'boolean') return true;
  if (words.type === 'null') return null;
  return longestText(schema, name, i);
}

/** The first kind of text that the schema takes. */
function longestText(schema: TSchema, name: string, i: number): string {
  const { maxLength = 254 } = schema as Words;
  const labels = `${'ü'.repeat(12)}.`.repeat(8);
  const texts = [
    ...(name === 'ip' || name === 'allowed_ips' ? [`2001:db8::${(i % 65_535).toString(16)}`] : []),
    ...(name === 'email' || name === 'new_email' ? [`p${i}@${labels}com`] : []),
    ...(name === 'value' || name === 'entries' ? [`p${i}.${labels}example`] : []),
    ...(name === 'url' ? [`https://example.com/${i}${'x'.repeat(200)}`] : []),
    '2027-01-01T00:00:00Z',
    `${i}`.padEnd(maxLength, 'x'),
    '2027-01-01',
  ].map((text) => text.slice(0, maxLength));
  const [dateTime = '', filler = ''] = texts.slice(-3);
  if ((schema as { format?: string }).format === 'date-time' || /^(\w+_at|from|to)$/.test(name))
    return dateTime;
  return texts.find((text) => text !== dateTime && Value.Check(schema, text)) ?? filler;
}
