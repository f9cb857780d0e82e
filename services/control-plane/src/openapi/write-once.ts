import type { OpenApiDocument } from './openapi-document.js';

/** Writes a reply or an enum that one place alone refers to into that place, whose own name says enough. */
export function writeOnce(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document);
  const { schemas = {}, ...components } = document.components;
  const replies = Object.entries<object>({ ...schemas }).filter(
    ([name, schema]) =>
      (name.endsWith('Reply') || 'enum' in schema) && text.split(referenceTo(name)).length === 2,
  );
  const kept = Object.entries(schemas).filter(([name]) => !replies.some(([reply]) => reply === name));
  const rest = JSON.stringify({
    ...document,
    components: { ...components, schemas: Object.fromEntries(kept) },
  });
  return JSON.parse(
    replies.reduce(
      (written, [name, schema]) => written.replace(referenceTo(name), () => JSON.stringify(schema)),
      rest,
    ),
  ) as OpenApiDocument;
}

const referenceTo = (name: string): string => `{"$ref":"#/components/schemas/${name}"}`;
