import { inspect } from 'node:util';
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
export const timestamp: Column<Date> = (value) => value instanceof Date;
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

/** Fails where a statement gave another row than its shape says. */
export function requireShape<Row>(row: unknown, shape: Shape<Row>, statement: string): void {
  const wrong = misfit(row, shape);
  if (wrong !== undefined) throw new TypeError(`a row is not of its shape: ${wrong}\n${statement}`);
}

/** The name in which a row and a shape differ, with what the row has there; undefined when they agree. */
function misfit<Row>(row: unknown, shape: Shape<Row>): string | undefined {
  if (row === null || typeof row !== 'object') return `${JSON.stringify(row)} in place of an object`;
  const columns = Object.entries<Column<unknown>>(shape);
  const wrong = columns.find(([name, column]) => !column(Reflect.get(row, name)));
  if (wrong) return `${wrong[0]} = ${inspect(Reflect.get(row, wrong[0]))}`;
  return Object.keys(row).find((name) => !(name in shape));
}
