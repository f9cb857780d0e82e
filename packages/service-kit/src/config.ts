import { readFileSync } from 'node:fs';
import type { Static, TObject, TSchema } from 'typebox';
import { Value } from 'typebox/value';

/** Thrown when the environment does not fit; its message names every bad variable at once. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the variables that the schema names. Texts are turned into the numbers and booleans the schema wants; NAME_FILE
 * may hold the path of a file with the value, as container secrets do. `check` adds what is wrong with their combination. The
 * result is frozen.
 */
export function readConfig<T extends TObject>(
  schema: T,
  environment: Environment,
  check: (config: Readonly<Static<T>>) => readonly string[] = () => [],
): Readonly<Static<T>> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties as Record<string, TSchema>)) {
    try {
      const text = rawValue(name, environment);
      const fallback = (field as { default?: unknown }).default;
      const value = text === undefined ? fallback : convert(text, field);
      if (value !== undefined) values[name] = value;
      if (value === undefined && isRequired(schema, name)) problems.push(`${name} is missing`);
      else if (value !== undefined && !Value.Check(field, value))
        problems.push(`${name} ${complaint(field, value)}`);
    } catch (error) {
      problems.push(`${name}_FILE cannot be read (${(error as Error).message})`);
    }
  }
  problems.push(...check(values as Readonly<Static<T>>));
  if (problems.length > 0) throw new ConfigError(`the configuration is not valid: ${problems.join('; ')}`);
  return Object.freeze(values) as Readonly<Static<T>>;
}

function rawValue(name: string, environment: Environment): string | undefined {
  const file = environment[`${name}_FILE`];
  const text = file ? readFileSync(file, 'utf8').trim() : environment[name];
  return text === undefined || text === '' ? undefined : text;
}

function convert(text: string, field: TSchema): unknown {
  const type = (field as { type?: string }).type;
  if (type === 'integer' || type === 'number') return text.trim() === '' ? Number.NaN : Number(text);
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

const isRequired = (schema: TObject, name: string): boolean =>
  ((schema as { required?: string[] }).required ?? []).includes(name);

function complaint(field: TSchema, value: unknown): string {
  const [first] = Value.Errors(field, value);
  return first ? first.message : 'is not valid';
}
