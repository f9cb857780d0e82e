import type { OpenApi, OperationBody, Schema } from '../../api/openapi.ts';

export interface Operation extends OperationBody {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly auth: 'apiKey' | 'bearer' | 'none';
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Every endpoint of the document in its order, grouped by tag. */
export function operationsOf(api: OpenApi): ReadonlyMap<string, readonly Operation[]> {
  const groups = new Map<string, Operation[]>();
  for (const [path, item] of Object.entries(api.paths)) {
    for (const method of METHODS) {
      const body = item[method];
      if (!body) continue;
      const tag = body.tags?.[0] ?? 'other';
      const group = groups.get(tag) ?? [];
      group.push({
        ...body,
        ...(body.parameters && { parameters: body.parameters.map((each) => resolveShared(each, api)) }),
        ...(body.requestBody && { requestBody: resolveShared(body.requestBody, api) }),
        responses: Object.fromEntries(
          Object.entries(body.responses ?? {}).map(([status, reply]) => [status, resolveShared(reply, api)]),
        ),
        id: `${method}-${path.replace(/[^a-z0-9]+/gi, '-')}`,
        method,
        path,
        tag,
        auth: authOf(body, api),
      });
      groups.set(tag, group);
    }
  }
  return groups;
}

function authOf(body: OperationBody, api: OpenApi): Operation['auth'] {
  const names = (body.security ?? api.security ?? [])
    .flatMap((one) => Object.keys(one))
    .map((name) => name.toLowerCase());
  if (names.some((name) => name.includes('key'))) return 'apiKey';
  return names.length > 0 ? 'bearer' : 'none';
}

/** A parameter, body or reply that the document names, in place of its name. */
function resolveShared<T extends object>(value: T, api: OpenApi): T {
  const [, , kind = '', name = ''] = '$ref' in value ? String(value.$ref).split('/') : [];
  return (api.components?.[kind]?.[name] as T | undefined) ?? value;
}

export function resolveSchema(schema: Schema, api: OpenApi): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return (name && api.components?.schemas?.[name]) || schema;
}

/** A type in few words: "string", "integer 0–100", "allow | block". */
export function typeOf(schema: Schema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(' | ');
  if (schema.type === 'array') return `${schema.items ? typeOf(schema.items) : 'anything'}[]`;
  const name = Array.isArray(schema.type) ? schema.type.join(' | ') : (schema.type ?? 'anything');
  const range =
    schema.minimum !== undefined && schema.maximum !== undefined
      ? ` ${schema.minimum}–${schema.maximum}`
      : '';
  const format = schema.format ? ` (${schema.format})` : '';
  return `${String(name)}${range}${format}`;
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  email: 'test@mailinator.com',
  ip: '203.0.113.7',
  value: 'example.com',
  name: 'Sign-up form',
};

/** A body to begin with: the required fields, with values that make sense where we know them. */
export function sampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0]);
  if (schema.properties) {
    const required = new Set(schema.required ?? []);
    return Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([name]) => required.has(name))
        .map(([name, property]) => [name, SAMPLES[name] ?? sampleOf(property)]),
    );
  }
  if (schema.type === 'array') return schema.items ? [sampleOf(schema.items)] : [];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0;
  if (schema.type === 'boolean') return true;
  return '';
}
