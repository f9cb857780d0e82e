/** A flag of the answer: its name in the dashboard, and its description in the OpenAPI document and the client. */
interface FlagTexts {
  readonly label: string;
  readonly description: string;
}

/** The three flags of the public contract: no more unless the caller asks with `?expand=signals`. */
export const contractFlags = {
  disposable_email: {
    label: 'Disposable domain',
    description: 'The email uses a known disposable domain',
  },
  mx_valid: {
    label: 'Domain accepts mail',
    description: 'The domain has MX records; false if none were found',
  },
  free_provider: { label: 'Free provider', description: 'The email uses a free consumer provider' },
} as const satisfies Record<string, FlagTexts>;

/** The flags that `?expand=signals` adds, in the order of the answer. Every schema, type, page and label follows from it. */
export const expandedFlags = {
  role_account: {
    label: 'Role account',
    description: 'The mailbox name is a role such as info or support',
  },
  no_reply: { label: 'No-reply mailbox', description: 'No-reply mailbox' },
  relay: {
    label: 'Forwards to a hidden address',
    description: 'The domain forwards mail to a hidden address',
  },
  sms_gateway: {
    label: 'Text message gateway',
    description: 'The address is a telephone number at a gateway for text messages',
  },
  mx_unknown: {
    label: 'Mail servers not checked',
    description: 'The mail servers could not be checked',
  },
  plus_tag: { label: 'Has a +tag', description: 'The mailbox name carries a +tag' },
  alias: {
    label: 'Another spelling of its mailbox',
    description: 'The provider delivers other spellings of this address to the same mailbox',
  },
} as const satisfies Record<string, FlagTexts>;

/** The texts beside the flags of `?expand=signals`. */
export const expandedTexts = {
  suggestion: {
    label: 'Suggested correction',
    description: 'The address that was probably meant, when the domain looks mistyped',
  },
  mailbox: {
    label: 'Mailbox',
    description: 'The one mailbox behind all spellings of this address, for a unique column',
  },
  seen: {
    label: 'Seen lately',
    description: 'Spellings of the mailbox; mailboxes of domain, shape, IP. 16: or more; null: not counted',
  },
  mx: {
    label: 'Mail servers',
    description: 'Servers that take the mail of the domain; null where none were looked up',
  },
  ip: { label: 'IP network', description: 'Network and origin of the IP sent' },
} as const satisfies Record<string, FlagTexts>;

export type Flag = keyof typeof contractFlags | keyof typeof expandedFlags;

/** A value for every flag of a table, under the flag's name. */
export function mapFlags<Name extends string, Value>(
  flags: Readonly<Record<Name, FlagTexts>>,
  toValue: (texts: FlagTexts) => Value,
): Record<Name, Value> {
  const entries = Object.entries<FlagTexts>(flags).map(([name, texts]) => [name, toValue(texts)]);
  // Object.fromEntries forgets the names.
  return Object.fromEntries(entries) as Record<Name, Value>;
}
