import { POLICY_LANGUAGE } from '@verdict/contracts/policy-fields.js';
import { DECISIONS } from '@verdict/domain/decision.js';
import type { TSchema } from 'typebox';
import { pick } from '../failure/support/seeded-random.js';

export interface FuzzBody {
  readonly type: string;
  readonly text: string;
}

type Random = () => number;

const BOUNDARY = 'fuzz';
const EMAILS = [
  'jane@gmail.com',
  'b.o.b+1@googlemail.com',
  'a@mailinator.com',
  'x@b\u00fccher.example',
  'not an address',
  '@',
  'a@b',
];
const LIST_VALUES = [
  ...EMAILS,
  'example.com',
  '203.0.113.7',
  '203.0.113.0/24',
  '2001:db8::/32',
  '10.0.0.0/33',
];

/** A body in the grammar of its route: rules, files, forms, imports, or what the schema says. Some have one mistake. */
export function grammaticalBody(random: Random, path: string, schema: TSchema | undefined): FuzzBody {
  if (/\/jobs\/$/.test(path)) return fileOf(random, 'email');
  if (/\/import\/$/.test(path) && random() < 0.5) return fileOf(random, 'value');
  const body = schema ? someOf(random, schema, '') : {};
  return { type: 'application/json', text: JSON.stringify(body) };
}

/** A file of rows as CSV, NDJSON, an array or a form. The end of a form is sometimes missing. */
function fileOf(random: Random, column: string): FuzzBody {
  const values = column === 'email' ? EMAILS : LIST_VALUES;
  const rows = Array.from({ length: Math.floor(random() * 6) }, () => pick(random, values));
  const csv = [pick(random, [column, `${column},note`, `"${column}"`, 'name', '']), ...rows].join(
    pick(random, ['\n', '\r\n']),
  );
  const kinds: readonly FuzzBody[] = [
    { type: 'text/csv', text: csv },
    { type: 'text/csv; charset=utf-8', text: `\ufeff${csv}\n"open` },
    { type: 'application/x-ndjson', text: rows.map((row) => JSON.stringify({ [column]: row })).join('\n') },
    { type: 'application/json', text: JSON.stringify(rows.map((row) => ({ [column]: row }))) },
    { type: 'application/json', text: JSON.stringify(rows).slice(0, -1) },
    formOf(random, csv),
  ];
  return pick(random, kinds);
}

function formOf(random: Random, csv: string): FuzzBody {
  const name = pick(random, ['file', 'file', 'other', '']);
  const field = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="start"\r\n\r\nmanual\r\n`;
  const file = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${csv}\r\n`;
  const end = pick(random, [`--${BOUNDARY}--\r\n`, `--${BOUNDARY}--\r\n`, `--${BOUNDARY}\r\n`, '']);
  return {
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    text: `${random() < 0.5 ? field : ''}${file}${end}`,
  };
}

const rulesOf = (random: Random): object[] =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, (_, i) => ({
    name: `Rule ${i}${random() < 0.05 ? 'x'.repeat(100) : ''}`,
    when: whenOf(random, 1),
    then: pick(random, [
      { at_least: pick(random, DECISIONS) },
      { at_most: pick(random, DECISIONS) },
      { exactly: pick(random, DECISIONS) },
      { watch: true },
      { watch: false },
    ]),
    ...(random() < 0.2 && { ends_at: pick(random, ['2030-01-01T00:00:00Z', '2026-02-30', '']) }),
  }));

function whenOf(random: Random, depth: number): object {
  const clauses = Array.from({ length: 1 + Math.floor(random() * 3) }, () =>
    depth < 4 && random() < 0.2 ? whenOf(random, depth + 1) : conditionOf(random),
  );
  return { [pick(random, ['all', 'any'])]: clauses };
}

function conditionOf(random: Random): object {
  const [name, field] = pick(random, Object.entries(POLICY_LANGUAGE.fields));
  const op = pick(random, random() < 0.95 ? POLICY_LANGUAGE.operators[field.type] : ['eq', 'in', 'like']);
  const one = {
    number: () => pick(random, [0, 1, 16, 50, 100, 101, -1, 1.5]),
    flag: () => random() < 0.5,
    text: () => pick(random, field.values ?? ['com', 'DE', '64500', 'key_1']),
    domain: () => pick(random, ['example.com', 'b\u00fccher.example', 'x']),
    hosts: () => pick(random, ['mx.example.com', 'x']),
    codes: () => pick(random, ['RELAY_DOMAIN', 'NO_MX', 'NOTHING']),
  }[field.type];
  return { field: name, op, value: op === 'in' ? [one(), one()] : one() };
}

interface Words {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly format?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, TSchema>>;
}

/** A value of the schema, near its limits where it has some. */
function someOf(random: Random, schema: TSchema, name: string): unknown {
  const words = schema as Words;
  if (name === 'rules') return rulesOf(random);
  if (name === 'email') return pick(random, EMAILS);
  if (name === 'value' || name === 'entries') {
    const value = pick(random, LIST_VALUES);
    return name === 'value' ? value : [value, pick(random, LIST_VALUES)];
  }
  if (words.const !== undefined) return words.const;
  if (words.enum) return pick(random, words.enum);
  if (words.anyOf) return someOf(random, pick(random, words.anyOf), name);
  if (words.type === 'object') {
    const chosen = Object.entries(words.properties ?? {}).filter(
      ([field]) => words.required?.includes(field) || random() < 0.5,
    );
    return Object.fromEntries(chosen.map(([field, of]) => [field, someOf(random, of, field)]));
  }
  if (words.type === 'array') {
    const { items = {} as TSchema } = words;
    return Array.from({ length: Math.floor(random() * 3) }, () => someOf(random, items, name));
  }
  if (words.type === 'integer' || words.type === 'number') {
    const { minimum = 0, maximum = 2_147_483_648 } = words;
    return pick(random, [minimum, minimum + 1, maximum, maximum + 1, 2_147_483_648]);
  }
  if (words.type === 'boolean') return random() < 0.5;
  if (words.type === 'null') return null;
  if (words.format === 'date-time' || /^(\w+_at|from|to)$/.test(name))
    return pick(random, ['2030-01-01T00:00:00Z', '2026-11-01', '2026-11-18', 'never']);
  return 'x'.repeat(pick(random, [1, 12, words.maxLength ?? 40, (words.maxLength ?? 40) + 1]));
}
