export const KEYS_TEXTS = {
  title: 'Keys',
  intro:
    'Programs show a key with every check. A change is in force on every gateway when it is confirmed here.',
  create: 'Create key',
  limit: (max: number) => `At most ${max} keys that are not revoked.`,
  limitReached: (max: number) => `All ${max} keys are taken. Revoke one to create another.`,
  live: 'In use',
  all: 'All, with revoked',
  show: 'Keys to show',
  empty: 'No key yet',
  emptyText:
    'A key lets a program check addresses for this account. Its value is shown once, when it is created.',
  failed: 'The keys could not be loaded',
  loading: 'Loading keys',
  name: 'Name',
  value: 'Value',
  status: 'Status',
  lastUse: 'Last use (UTC)',
  checks: 'Checks, 30 days',
  created: 'Created (UTC)',
  actions: 'Actions',
  never: 'never',
  actionsOf: (name: string) => `Actions for ${name}`,
  rename: 'Rename',
  terms: 'Change terms',
  roll: 'Roll value',
  deactivate: 'Deactivate',
  activate: 'Activate',
  revoke: 'Revoke key',
  seeLogs: 'See its checks',
  inForce: 'In force on every gateway.',
  deactivated: (name: string) => `${name} is inactive: it answers 403 from now on.`,
  activated: (name: string) => `${name} is active again.`,
  revoked: (name: string) => `${name} is revoked for good.`,
  renamed: 'The new name is saved.',
};

export const CREATE_TEXTS = {
  title: 'Create a key',
  name: 'Name',
  nameHint: 'Where it will be used, such as “Sign-up form, production”.',
  mode: 'Kind',
  modes: [
    { value: 'live', label: 'live: checks count' },
    { value: 'test', label: 'test: never counted, for CI' },
  ],
  terms: 'Expiry, quota, networks, scopes',
  submit: 'Create key',
};

export const TERMS_TEXTS = {
  title: (name: string) => `Terms of ${name}`,
  expires: 'Last day (UTC)',
  expiresHint: 'Empty: it does not expire.',
  quota: 'Checks a month',
  quotaHint: 'Empty: as many as the account has.',
  allowed: 'May be used from',
  allowedHint: 'Addresses or networks such as 203.0.113.0/24. Empty: anywhere.',
  scopeCheck: 'May check addresses',
  scopeUsage: 'May read usage',
  submit: 'Save terms',
  test: 'test key',
  until: (day: string, over: boolean) => (over ? `expired ${day}` : `until ${day}`),
  quotaOf: (checks: string) => `${checks} a month`,
  networks: (count: number) => (count === 1 ? 'from one network' : `from ${count} networks`),
  only: (scopes: string) => `only ${scopes}`,
};

export const ROLL_TEXTS = {
  title: (name: string) => `Roll the value of ${name}`,
  text: 'A new value is made. The old one works on for the time you choose, so that programs can be changed over.',
  overlap: 'The old value works for',
  submit: 'Roll value',
  cancel: 'Keep the value',
};

export const VALUE_TEXTS = {
  title: 'Store this value now',
  text: 'It is shown this once. Only a hash of it is kept, so nobody can show it again.',
  label: 'Value of the key',
  inForce: 'It is in force on every gateway.',
  soon: 'It will be in force on every gateway within seconds.',
  old: 'The old value works until',
  oldEnded: 'The old value has ended.',
  stored: 'I have stored it',
};

export const REVOKE_TEXTS = {
  title: (name: string) => `Revoke ${name}`,
  consequence:
    'Every program that uses this key is answered 403 from the moment you confirm, on every gateway. This cannot be undone; its checks stay in the logs and on the bill.',
  label: 'Name of the key',
  action: 'Revoke key',
};

export const RENAME_TEXTS = { title: 'Rename the key', name: 'Name', submit: 'Save name' };
