import { inspect } from 'node:util';
import type { misfitOfSchema, Rows } from '@verdict/contracts/row-schemas.js';
import { DECISIONS } from '@verdict/domain/decision.js';

/** A type of column: the predicate is the type, the function checks a value. */
export type Column<T> = (value: unknown) => value is T;

/** The columns of a row by name. */
export type Shape<Row> = { readonly [Name in keyof Row]: Column<Row[Name]> };

/** The row that a shape describes. */
export type RowOf<S> = { [Name in keyof S]: S[Name] extends Column<infer T> ? T : never };

export const text: Column<string> = (value) => typeof value === 'string';
/** A whole number: int4, or a sum that the statement casts to float8, because int8 arrives as a bigint. */
export const int: Column<number> = (value): value is number => Number.isSafeInteger(value);
export const float: Column<number> = (value) => typeof value === 'number';
export const int8: Column<bigint> = (value) => typeof value === 'bigint';
export const bool: Column<boolean> = (value) => typeof value === 'boolean';
export const bytes: Column<Uint8Array> = (value) => value instanceof Uint8Array;
/** JSON of any shape. */
export const json: Column<unknown> = (value): value is unknown => value !== undefined;
/** A JSON object of a type that was checked when it was written, such as a rule or the line of a statement. */
export const document =
  <T extends object>(): Column<T> =>
  (value): value is T =>
    typeof value === 'object' && value !== null;

export const nullable =
  <T>(column: Column<T>): Column<T | null> =>
  (value): value is T | null =>
    value === null || column(value);

export const oneOf =
  <const T extends string>(...values: readonly T[]): Column<T> =>
  (value): value is T =>
    (values as readonly unknown[]).includes(value);

export const decision = oneOf(...DECISIONS);

/** An array, of Postgres or in JSON. */
export const list =
  <T>(column: Column<T>): Column<T[]> =>
  (value): value is T[] =>
    Array.isArray(value) && value.every(column);

/** A JSON object with these names. */
export const record =
  <Row>(shape: Shape<Row>): Column<Row> =>
  (value): value is Row =>
    misfit(value, shape) === undefined;

/** A JSON object with any names. */
export const entries =
  <T>(column: Column<T>): Column<Record<string, T>> =>
  (value): value is Record<string, T> =>
    value !== null && typeof value === 'object' && Object.values(value).every(column);

const SCHEMA = Symbol('schema');

/**
 * The columns of a schema of the contract, whose type is the row's. A shape carries the name alone, because a command
 * that reads rows would load the schemas for longer than it runs; more columns go beside it: `{ ...columnsOf('apiKey'), version: int }`.
 */
export const columnsOf = <Name extends keyof Rows>(name: Name): Shape<Rows[Name]> => {
  const shape: object = { [SCHEMA]: name };
  return shape as Shape<Rows[Name]>;
};

/** The schema that a shape names. */
export const schemaOf = (shape: object): keyof Rows | undefined => Reflect.get(shape, SCHEMA);

/** Fails where a statement gave another row than its shape says; `misfitOf` knows the schemas. */
export function requireShape<Row>(
  row: unknown,
  shape: Shape<Row>,
  statement: string,
  misfitOf?: typeof misfitOfSchema,
): void {
  const wrong = misfit(row, shape, misfitOf);
  if (wrong !== undefined) throw new TypeError(`a row is not of its shape: ${wrong}\n${statement}`);
}

/** The name in which a row and a shape differ, with what the row has there; undefined when they agree. */
function misfit<Row>(row: unknown, shape: Shape<Row>, misfitOf?: typeof misfitOfSchema): string | undefined {
  if (row === null || typeof row !== 'object') return `${JSON.stringify(row)} in place of an object`;
  const columns = Object.entries<Column<unknown>>(shape);
  const wrong = columns.find(([name, column]) => !column(Reflect.get(row, name)));
  if (wrong) return `${wrong[0]} = ${inspect(Reflect.get(row, wrong[0]))}`;
  const rest = Object.entries(row).filter(([name]) => !(name in shape));
  const schema = schemaOf(shape);
  return schema && misfitOf ? misfitOf(schema, Object.fromEntries(rest)) : rest[0]?.[0];
}
