export const OVERVIEW_TEXTS = {
  latest: 'Latest checks',
  burstNames: {
    ALIAS_BURST: 'Same mailbox, many spellings',
    DOMAIN_BURST: 'Many mailboxes, one domain',
    SEQUENCE: 'Numbered names',
    IP_BURST: 'Many mailboxes, one IP',
  } as Readonly<Record<string, string>>,
};
