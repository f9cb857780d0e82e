import { invalidField } from '@verdict/service-kit/errors.js';

/** A moment in the future as it is stored; null for never. `instead` says how to end the thing now. */
export function readExpiry(text: string | null | undefined, now: Date, instead: string): string | null {
  if (text == null) return null;
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) throw invalidField('expires_at', 'is not a date or time');
  if (at <= now) throw invalidField('expires_at', `must be in the future; ${instead}`);
  return at.toISOString();
}
