import type { OpenApi, Schema } from '../../api/openapi.ts';
import { InlineCode } from './InlineCode.tsx';
import { resolveSchema, typeOf } from './operations.ts';
import classes from './ReferencePage.module.css';
import { REFERENCE_TEXTS as TEXTS } from './texts.ts';

interface Field {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

const DEEPEST = 4;

/** The fields of an object, with those of the objects inside it: `breakdown.factors[].code`. */
function fieldsOf(schema: Schema, api: OpenApi, prefix = '', depth = 0): Field[] {
  if (depth > DEEPEST) return [];
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).flatMap(([name, raw]) => {
    const property = resolveSchema(raw, api);
    const own = { name: `${prefix}${name}`, schema: property, required: required.has(name) };
    const object = [property, ...(property.anyOf ?? [])]
      .map((each) => resolveSchema(each, api))
      .find(({ properties }) => properties);
    const items = property.items ? resolveSchema(property.items, api) : undefined;
    return [
      own,
      ...(object ? fieldsOf(object, api, `${prefix}${name}.`, depth + 1) : []),
      ...(items?.properties ? fieldsOf(items, api, `${prefix}${name}[].`, depth + 1) : []),
    ];
  });
}

export function FieldTable({ schema, api }: { schema: Schema; api: OpenApi }) {
  const fields = fieldsOf(schema, api);
  if (fields.length === 0) return <p className={classes.auth}>{typeOf(schema)}</p>;
  return (
    <table className={classes.fields}>
      <tbody>
        {fields.map(({ name, schema: field, required }) => (
          <tr key={name}>
            <th scope="row">
              <code>{name}</code>
              <small>{required ? TEXTS.required : TEXTS.optional}</small>
            </th>
            <td>{typeOf(field)}</td>
            <td>
              <InlineCode>{field.description}</InlineCode>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
