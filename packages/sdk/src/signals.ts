/** Written by `npm run docs:signals`. Optional fields come only with `expand: ['signals']`. */
export interface Signals {
  /** The email uses a known disposable domain. */
  disposable_email: boolean;
  /** The domain has MX records; false if none were found. */
  mx_valid: boolean;
  /** The email uses a free consumer provider. */
  free_provider: boolean;
  /** The mailbox name is a role such as info or support. */
  role_account?: boolean;
  /** No-reply mailbox. */
  no_reply?: boolean;
  /** The domain forwards mail to a hidden address. */
  relay?: boolean;
  /** The address is a telephone number at a gateway for text messages. */
  sms_gateway?: boolean;
  /** The mail servers could not be checked. */
  mx_unknown?: boolean;
  /** The mailbox name carries a +tag. */
  plus_tag?: boolean;
  /** The provider delivers other spellings of this address to the same mailbox. */
  alias?: boolean;
  /** The address that was probably meant, when the domain looks mistyped. */
  suggestion?: string | null;
  /** The one mailbox behind all spellings of this address, for a unique column. */
  mailbox?: string;
  /** Spellings of the mailbox; mailboxes of domain, shape, IP. 16: or more; null: not counted. */
  seen?: Record<'mailbox' | 'domain' | 'shape' | 'ip', number | null>;
  /** Network and origin of the IP sent. */
  ip?: {
    kind: 'relay' | 'tor' | 'vpn' | 'hosting' | null;
    country: string | null;
    asn: number | null;
    organisation: string | null;
  };
}
