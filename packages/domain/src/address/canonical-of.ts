import { parseEmail } from './parse-email.js';

/** The one spelling under which a mailbox is known; what is no address stays as it is, in lower case. */
export function canonicalOf(text: string): string {
  const parsed = parseEmail(text);
  return parsed.ok ? parsed.address.canonical : text.trim().toLowerCase();
}
