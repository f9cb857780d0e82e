import { COUNTRY_CODES } from '@verdict/contracts/country-codes.js';
import type { Recipient } from '@verdict/contracts/dashboard/billing-api.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { taxIdFault } from './tax-id-fault.js';

interface Fault {
  readonly field: keyof Recipient;
  readonly message: string;
}

/** Finds a field that would make the next invoice wrong: the country decides the tax, and the address gets the mail. */
export function recipientFault(
  { country, tax_id: taxId, contact }: Recipient,
  { isInvoiced }: { readonly isInvoiced: boolean },
): Fault | null {
  if (country === null && isInvoiced)
    return { field: 'country', message: 'is missing; your plan is invoiced' };
  if (country !== null && !COUNTRY_CODES.includes(country))
    return { field: 'country', message: 'is none of ISO 3166, such as DE' };
  const fault = taxId === null ? null : taxIdFault(taxId, country);
  if (fault) return { field: 'tax_id', message: fault };
  const mailbox = contact?.includes('@') ? parseEmail(contact) : null;
  return mailbox?.ok === false ? { field: 'contact', message: mailbox.message } : null;
}
