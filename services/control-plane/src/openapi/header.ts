export function header(description: string, type: 'string' | 'integer' = 'string'): object {
  return { description, schema: { type } };
}
