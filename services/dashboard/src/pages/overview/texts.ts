export const OVERVIEW_TEXTS = {
  latest: 'Latest checks',
  keysInUse: 'Keys',
  burstNames: {
    ALIAS_BURST: 'Spellings of one mailbox',
    DOMAIN_BURST: 'Mailboxes of one domain',
    SEQUENCE: 'Numbered names',
    IP_BURST: 'Mailboxes of one IP address',
  } as Readonly<Record<string, string>>,
};
