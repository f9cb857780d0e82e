export const AUDIT_TEXTS = {
  title: 'Audit',
  intro:
    'Every change of this account: the action, the person, the time and the IP. Entries are never changed or removed.',
  loading: 'Loading the audit log',
  failed: 'Could not load the audit log',
  empty: 'No changes yet',
  emptyText: 'Logins, keys, list entries and plan changes appear here.',
  when: 'Time (UTC)',
  what: 'Action',
  target: 'Target',
  details: 'Details',
  who: 'By',
  you: 'you',
  system: 'the system',
  operator: 'an operator',
  ip: 'From',
  request: 'Request',
};
