import type { SsoConnection } from '@verdict/db/sso/sso-connection.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { ssoRefused } from '@verdict/service-kit/errors.js';
import type { Person } from './identity-providers.js';

/** One issuer for everybody with an account at Google, a former employee's private one included. */
const GOOGLE = 'https://accounts.google.com';

/** The address of a person, unless the provider calls it unverified. */
export function verifiedAddress({ email, isVerified }: Person): EmailAddress {
  const parsed = email === null ? null : parseEmail(email);
  if (!parsed?.ok)
    throw ssoRefused('Your identity provider did not send your email address. Tell its administrator.');
  if (isVerified === false)
    throw ssoRefused('Your identity provider has not verified your email address. Tell its administrator.');
  return parsed.address;
}

/** The address of a person whom the account takes: of a proven domain, and vouched for by the one who manages it. */
export function addressOf(person: Person, { domains }: Pick<SsoConnection, 'domains'>): EmailAddress {
  const address = verifiedAddress(person);
  const isProven = (of: string | null) => domains.some(({ domain, proven }) => proven && domain === of);
  if (!isProven(address.domain))
    throw ssoRefused(`This account does not log in people of ${address.unicodeDomain}.`);
  if (person.issuer === GOOGLE && !isProven(person.workspace))
    throw ssoRefused('This is a private Google account. Log in with the one of your company.');
  return address;
}
