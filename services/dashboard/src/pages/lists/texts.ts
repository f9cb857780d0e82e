export const LISTS_TEXTS = {
  kindOf: ({ kind, match }: { kind: string; match: string }) =>
    match === 'mx' ? 'mail server' : match === 'mailbox' ? match : kind,
  immediately: 'Takes effect immediately.',
  removeFailed: 'Could not remove the entry',
  emptyText: {
    allow: 'Add your company’s and your customers’ domains to always allow them.',
    block: 'Add addresses, domains, mail servers, IPs and networks to always block them.',
  },
};

export const ADD_TEXTS = {
  value: 'Address, domain, mail server, IP or network',
  servers: [
    { value: 'exact', label: 'This domain and its subdomains' },
    { value: 'mx', label: 'Every domain whose mail this server takes' },
  ],
  shared:
    'Unrelated people and companies share this mail server. Blocking it can block a whole provider; allowing it lets anybody in.',
  matches: [
    { value: 'mailbox', label: 'Every spelling of this mailbox' },
    { value: 'exact', label: 'This address only' },
  ],
  expiries: [
    { value: '', label: 'Never' },
    { value: '1', label: 'In 1 day' },
    { value: '7', label: 'In 7 days' },
    { value: '30', label: 'In 30 days' },
    { value: '90', label: 'In 90 days' },
  ],
};

export const IMPORT_TEXTS = {
  title: (list: string) => `Import into the ${list} list`,
};
