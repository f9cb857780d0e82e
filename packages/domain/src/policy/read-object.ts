import { PolicyFault } from './policy-fault.js';

/** Takes a value as an object that has none but these keys. */
export function readObject(value: unknown, at: string, keys: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new PolicyFault(at, 'must be an object');
  const other = Object.keys(value).find((key) => !keys.includes(key));
  if (other !== undefined)
    throw new PolicyFault(at, `may hold ${keys.join(', ')} only, not ${JSON.stringify(other.slice(0, 40))}`);
  return value as Record<string, unknown>;
}
