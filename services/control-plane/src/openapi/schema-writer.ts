import { allowNewFields } from './allow-new-fields.js';
import { NAMED_SCHEMAS } from './named-schemas.js';
import { tidySchema } from './tidy-schema.js';

/** Writes schemas of the contract into a document, and collects those that have a name. */
export function createSchemaWriter() {
  const schemas: Record<string, unknown> = {};
  const names = new Map<string, string>();
  const name = (schema: unknown, wanted: string): void => {
    const shape = shapeOf(schema);
    if (!names.has(shape)) names.set(shape, wanted);
  };
  for (const [wanted, schema] of NAMED_SCHEMAS)
    if (!wanted.endsWith('Body')) name(tidySchema(allowNewFields(schema)), wanted);
  // An answer may get fields, a request may not: where both use a schema, it has two forms.
  for (const [wanted, schema] of NAMED_SCHEMAS)
    name(tidySchema(schema), wanted.endsWith('Body') ? wanted : `${wanted}Input`);

  function write(value: unknown, self?: string): unknown {
    if (Array.isArray(value)) return value.map((each) => write(each));
    if (typeof value !== 'object' || value === null) return value;
    const known = names.get(shapeOf(value));
    if (known !== undefined && known !== self) {
      schemas[known] ??= write(value, known);
      return { $ref: `#/components/schemas/${known}` };
    }
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, write(each)]));
  }

  return {
    schemas,
    ofRequest: (schema: object) => write(tidySchema(schema)) as object,
    ofAnswer: (schema: object) => write(tidySchema(allowNewFields(schema))) as object,
  };
}

export type SchemaWriter = ReturnType<typeof createSchemaWriter>;

/** Equal for equal schemas, whatever the order of their keywords. */
const shapeOf = (schema: unknown): string =>
  JSON.stringify(schema, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
