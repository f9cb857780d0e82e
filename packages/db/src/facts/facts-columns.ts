import { instantMicros } from '@verdict/domain/instant-micros.js';
import type { SchemaElement } from 'hyparquet';
import type { ColumnSource } from 'hyparquet-writer';
import type { Client } from 'pg';
import { clientRows } from '../database/client-rows.js';
import { type Column, int, list, nullable, text } from '../database/columns.js';
import type { FactsRow, FactsValue } from './facts-row.js';

/** A column of the checks: how it leaves Postgres, and how a file holds it. */
export interface FactsColumn {
  readonly name: string;
  readonly expression: string;
  readonly shape: Column<FactsValue>;
  readonly schema: readonly SchemaElement[];
  readonly encoding: Pick<ColumnSource, 'encoding'>;
  readonly toFile: (value: FactsValue) => FactsValue | bigint;
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const INTEGER = { type: 'INT32' } as const;
const MOMENT = { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' } as const;

type Leaf = typeof TEXT | typeof INTEGER | typeof MOMENT;
const flat = (leaf: Leaf) => (name: string) => [{ ...leaf, name, repetition_type: 'OPTIONAL' as const }];
const listOf = (leaf: Leaf) => (name: string) => [
  { name, repetition_type: 'OPTIONAL' as const, converted_type: 'LIST' as const, num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED' as const, num_children: 1 },
  { ...leaf, name: 'element', repetition_type: 'OPTIONAL' as const },
];

const asIs = (value: FactsValue): FactsValue => value;
const plain = (name: string): string => name;

/** By the name that Postgres gives the type; a column of another type needs a line here before it can be archived. */
const TYPES = {
  text: { expression: plain, shape: text, schema: flat(TEXT), toFile: asIs },
  smallint: { expression: plain, shape: int, schema: flat(INTEGER), toFile: asIs },
  integer: { expression: plain, shape: int, schema: flat(INTEGER), toFile: asIs },
  jsonb: { expression: (name: string) => `${name}::text`, shape: text, schema: flat(TEXT), toFile: asIs },
  'timestamp with time zone': {
    expression: (name: string) => `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"')`,
    shape: text,
    schema: flat(MOMENT),
    toFile: microsOf,
  },
  'text[]': { expression: plain, shape: list(nullable(text)), schema: listOf(TEXT), toFile: asIs },
  'smallint[]': { expression: plain, shape: list(nullable(int)), schema: listOf(INTEGER), toFile: asIs },
} as const;

/** Neighbours begin alike or grow slowly: ids take 14 bytes instead of 16, moments 5 instead of 6. */
const ENCODINGS: Readonly<Record<string, Pick<ColumnSource, 'encoding'>>> = {
  id: { encoding: 'DELTA_BYTE_ARRAY' },
  request_id: { encoding: 'DELTA_BYTE_ARRAY' },
  created_at: { encoding: 'DELTA_BINARY_PACKED' },
};

/** All columns of the stored checks, in their order. */
export async function factsColumns(client: Client): Promise<FactsColumn[]> {
  const rows = await clientRows(
    client,
    { name: text, type: text },
    `SELECT attname::text AS name, atttypid::regtype::text AS type FROM pg_attribute
       WHERE attrelid = 'check_logs'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  return rows.map(({ name, type }) => {
    if (!isKnown(type))
      throw new Error(`the column ${name} cannot be archived: no file of ours holds ${type}`);
    const { expression, shape, schema, toFile } = TYPES[type];
    return {
      name,
      expression: expression(name),
      shape: nullable<FactsValue>(shape),
      schema: schema(name),
      encoding: ENCODINGS[name] ?? {},
      toFile,
    };
  });
}

/** The values of one column of many rows, as the writer takes them. */
export const columnOf = (
  rows: readonly FactsRow[],
  { name, encoding, toFile }: FactsColumn,
): ColumnSource => ({
  name,
  data: rows.map((row) => toFile(row[name] ?? null)),
  ...encoding,
});

const isKnown = (type: string): type is keyof typeof TYPES => Object.hasOwn(TYPES, type);

function microsOf(value: FactsValue): bigint | null {
  if (value === null) return null;
  const micros = typeof value === 'string' ? instantMicros(value) : null;
  if (micros === null) throw new Error(`${value} is not a moment`);
  return BigInt(micros);
}
