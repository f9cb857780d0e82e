type Json = Readonly<Record<string, unknown>>;

/**
 * Writes alternatives of one kind as one schema: an enum, a constant, a type or null. Generated clients get better types
 * from it, and the document is smaller.
 */
export function tidySchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidySchema);
  if (typeof value !== 'object' || value === null) return value;
  const tidied = Object.fromEntries(Object.entries(value).map(([name, each]) => [name, tidySchema(each)]));
  const { anyOf, patternProperties, ...rest } = tidied;
  if (patternProperties)
    return { ...rest, additionalProperties: Object.values(patternProperties as object)[0] };
  const merged = Array.isArray(anyOf) ? merge(anyOf as Json[]) : undefined;
  return typedConstants(merged ? { ...merged, ...rest } : tidied);
}

function merge(members: readonly Json[]): Json | undefined {
  const values = members.map((member) => ('const' in member ? [member.const] : member.enum));
  if (values.every(Array.isArray)) return { type: members[0]?.type ?? 'string', enum: values.flat() };
  const [first, second] = members;
  const isNullable = members.length === 2 && second?.type === 'null' && typeof first?.type === 'string';
  const isPlain =
    first && !('enum' in first || 'properties' in first || 'items' in first || 'pattern' in first);
  return isNullable && isPlain ? { ...first, type: [first.type, 'null'] } : undefined;
}

function typedConstants(schema: Json): Json {
  const { enum: values, ...rest } = schema;
  if (!Array.isArray(values)) return schema;
  const type = rest.type ?? (values.every((each) => typeof each === 'string') ? 'string' : undefined);
  const typed = type === undefined ? rest : { type, ...rest };
  return values.length === 1 ? { ...typed, const: values[0] } : { ...typed, enum: values };
}
