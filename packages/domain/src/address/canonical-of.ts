import { parseEmail } from './parse-email.js';

/** The one spelling under which a mailbox is known; text that is not an address is only lower-cased. */
export function canonicalOf(text: string): string {
  const parsed = parseEmail(text);
  return parsed.ok ? parsed.address.canonical : text.trim().toLowerCase();
}
