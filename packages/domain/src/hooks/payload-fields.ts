import type { HookRequest, Payload } from './hook-provider.js';

/** The object under a name, or an empty one: providers leave out what they do not know. */
export function objectAt(payload: Payload, name: string): Payload {
  const value = payload[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : {};
}

/** The text under a name; null for an empty one and for anything else. */
export function textAt(payload: Payload, name: string): string | null {
  const value = payload[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** A header that came once. */
export function headerOf({ headers }: HookRequest, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}
