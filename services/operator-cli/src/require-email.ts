import { parseEmail } from '@verdict/domain/address/parse-email.js';

/** The address as it is stored. */
export function requireEmail(email: string): string {
  const parsed = parseEmail(email);
  if (!parsed.ok) throw new Error(`${email}: ${parsed.message}`);
  return parsed.address.canonical;
}
