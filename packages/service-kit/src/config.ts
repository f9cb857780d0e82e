import type { Static, TObject, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { invalidSettings } from './config-error.js';
import { type Environment, settingText } from './setting-text.js';

/** Reads the variables of the schema, converts and freezes them. `check` adds errors about their combination. */
export function readConfig<T extends TObject>(
  schema: T,
  environment: Environment,
  check: (config: Readonly<Static<T>>) => readonly string[] = () => [],
): Readonly<Static<T>> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties as Record<string, TSchema>)) {
    try {
      const text = settingText(name, environment);
      const fallback = (field as { default?: unknown }).default;
      const value = text === undefined ? fallback : convert(text, field);
      if (value !== undefined) values[name] = value;
      if (value === undefined && isRequired(schema, name)) problems.push(`${name} is missing`);
      else if (value !== undefined && !Value.Check(field, value))
        problems.push(`${name} ${complaint(field, value)}`);
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  problems.push(...check(values as Readonly<Static<T>>));
  if (problems.length > 0) throw invalidSettings(problems);
  return Object.freeze(values) as Readonly<Static<T>>;
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
