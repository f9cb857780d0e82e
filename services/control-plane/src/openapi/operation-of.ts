import { operatorRolesOf, rolesOf } from '@verdict/contracts/routes/rights.js';
import type { Callers, Route } from '@verdict/contracts/routes/route.js';
import type { TObject } from 'typebox';
import { EXAMPLES } from './examples.js';
import type { Operation, Parameter, Reply } from './openapi-document.js';
import { documentedPath, operationId } from './operation-id.js';
import { repliesOf } from './replies-of.js';
import type { SchemaWriter } from './schema-writer.js';

/** An operation before its repeated parts become components. */
type WrittenOperation = Operation & {
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, Reply>>;
};

/** A route as an operation of the document. */
export function operationOf(route: Route, write: SchemaWriter): WrittenOperation {
  const path = documentedPath(route);
  const parameters = [
    ...parametersOf('path', route.params, write),
    ...parametersOf('query', route.query, write),
    ...parametersOf('header', route.headers, write),
  ];
  const requestBody = bodyOf(route, write);
  const { security } = SECURITY[route.callers];
  const roles = rolesOf(route) ?? operatorRolesOf(route);
  return {
    operationId: route.operationId ?? operationId(route.method, path),
    tags: [route.tag],
    summary: route.summary,
    description: route.description,
    ...(security && { security }),
    ...(roles && { 'x-roles': roles }),
    parameters,
    ...(requestBody && { requestBody }),
    responses: repliesOf(route, write),
  };
}

/** A token is the default of the document. */
const SECURITY: Readonly<Record<Callers, { readonly security?: readonly object[] }>> = {
  anyone: { security: [] },
  user: {},
  operator: {},
  key: { security: [{ api_key: [] }] },
  'key or user': { security: [{ api_key: [] }, { bearer: [] }] },
};

function parametersOf(place: string, schema: TObject | undefined, write: SchemaWriter): readonly Parameter[] {
  const required: readonly string[] = schema?.required ?? [];
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const { description, ...rest }: { readonly description?: string } = field;
    return {
      in: place,
      name,
      ...(required.includes(name) && { required: true }),
      ...(description !== undefined && { description }),
      schema: write.ofRequest(rest),
    };
  });
}

function bodyOf(route: Route, write: SchemaWriter): object | undefined {
  const schema = route.documentedBody ?? route.body;
  if (!schema && !route.files) return undefined;
  const requests = Object.entries(EXAMPLES[documentedPath(route)] ?? {}).flatMap(
    ([name, { summary, request }]) => (request ? [[name, { summary, value: request }]] : []),
  );
  const json = schema && {
    schema: write.ofRequest(schema),
    ...(requests.length > 0 && { examples: Object.fromEntries(requests) }),
  };
  return { required: true, content: { ...(json && { 'application/json': json }), ...route.files } };
}
