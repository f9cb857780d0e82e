import { createFinding } from './finding.js';

/** Findings whose sentence never changes. Each is read out to customers as it stands. */
export const findings = {
  disposable: createFinding('DISPOSABLE_DOMAIN', 'Disposable email domain detected'),
  singleSource: createFinding(
    'DISPOSABLE_DOMAIN_SINGLE_SOURCE',
    'Disposable email domain detected (named by a single source)',
  ),
  notFound: createFinding('DOMAIN_NOT_FOUND', 'The domain does not exist'),
  reserved: createFinding(
    'RESERVED_DOMAIN',
    'The domain is reserved for tests or for use inside a network and cannot receive email',
  ),
  nullMx: createFinding('NULL_MX', 'The domain refuses all email (null MX)'),
  noMx: createFinding('NO_MX', 'The domain has no mail server'),
  unroutable: createFinding(
    'MX_UNROUTABLE',
    'The mail servers of the domain point to addresses that cannot be reached',
  ),
  literal: createFinding('ADDRESS_LITERAL', 'The address names a machine by its number instead of a domain'),
  implicitMx: createFinding('IMPLICIT_MX', 'The domain has no MX record, only an address record'),
  unknownTld: createFinding('UNKNOWN_TLD', 'The domain has an ending that is not a known top-level domain'),
  noReply: createFinding('NO_REPLY', 'The mailbox name says that nobody reads it'),
  noReplyDomain: createFinding('NO_REPLY', 'The domain says that nobody reads its mail'),
  quoted: createFinding('QUOTED_LOCAL', 'The mailbox name is in quotes, which is unusual'),
  relay: createFinding('RELAY_DOMAIN', 'The address belongs to an email relay or alias service'),
  role: createFinding('ROLE_ACCOUNT', 'The mailbox is a role such as info or support, not a person'),
  random: createFinding('RANDOM_LOCAL', 'The mailbox name looks randomly generated'),
  indeterminate: createFinding('DNS_INDETERMINATE', 'The look-up of the mail servers did not complete'),
  free: createFinding('FREE_PROVIDER', 'The address uses a free consumer email provider'),
  plusTag: createFinding('PLUS_TAG', 'The mailbox name carries a +tag'),
} as const;
