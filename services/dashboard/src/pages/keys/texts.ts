export const KEYS_TEXTS = {
  title: 'Keys',
  intro: 'Your apps send a key with every request. Changes take effect immediately.',
  create: 'Create key',
  limit: (used: number, max: number) => `${used} of ${max} keys in use.`,
  limitReached: (max: number) => `All ${max} keys are in use. Revoke one to create another.`,
  live: 'In use',
  all: 'Include revoked',
  show: 'Keys to show',
  empty: 'No keys yet',
  emptyText: 'Your app needs a key to check addresses. It is shown once, when you create it.',
  failed: 'Could not load the keys',
  actFailed: 'The key did not change',
  loading: 'Loading keys',
  name: 'Name',
  value: 'Key',
  status: 'Status',
  lastUse: 'Last used (UTC)',
  checks: 'Checks, 30 days',
  created: 'Created (UTC)',
  actions: 'Actions',
  never: 'never',
  actionsOf: (name: string) => `Actions for ${name}`,
  rename: 'Rename',
  limits: 'Edit limits',
  roll: 'Roll key',
  deactivate: 'Deactivate',
  activate: 'Activate',
  revoke: 'Revoke key',
  seeLogs: 'See its checks',
  deactivated: (name: string) => `${name} deactivated`,
  deactivatedText: 'Requests with this key are refused.',
  activated: (name: string) => `${name} activated`,
  activatedText: 'Requests with this key are accepted again.',
  revoked: (name: string) => `${name} revoked`,
  revokedText: 'Requests with this key are refused.',
};

export const CREATE_TEXTS = {
  title: 'Create a key',
  name: 'Name',
  nameHint: 'Where you will use it, such as “Sign-up form, production”.',
  mode: 'Kind',
  modes: [
    { value: 'live', label: 'Live: checks count' },
    { value: 'test', label: 'Test: free, for CI' },
  ],
  limits: 'Expiry, quota, networks, permissions',
  submit: 'Create key',
};

export const LIMITS_TEXTS = {
  title: (name: string) => `Limits of ${name}`,
  expires: 'Expires after (UTC)',
  expiresHint: 'Leave empty for no expiry.',
  quota: 'Checks a month',
  quotaHint: 'Leave empty to use the account’s quota.',
  allowed: 'Allowed IPs',
  allowedHint: 'Addresses or networks such as 203.0.113.0/24. Leave empty to allow any.',
  scopeCheck: 'Check addresses',
  scopeUsage: 'Read usage',
  scopeJobs: 'Upload files and read their results',
  submit: 'Save limits',
  test: 'test key',
  until: (day: string, over: boolean) => (over ? `expired ${day}` : `until ${day}`),
  quotaOf: (checks: string) => `${checks} a month`,
  networks: (count: number) => (count === 1 ? 'from one network' : `from ${count} networks`),
  only: (scopes: string) => `only ${scopes}`,
};

export const ROLL_TEXTS = {
  title: (name: string) => `Roll ${name}`,
  text: 'Creates a new value. The old one keeps working for the time you choose, so you can switch over.',
  overlap: 'Keep the old value for',
  submit: 'Roll key',
};

export const VALUE_TEXTS = {
  title: (name: string) => `Store the key ${name}`,
  text: 'Copy it now. Only a hash is stored, so it cannot be shown again.',
  label: 'The key',
  works: 'The key works now.',
  soon: 'The key works within seconds.',
  old: 'The old value works until',
  oldEnded: 'The old value has stopped working.',
  stored: 'I have stored it',
};

export const REVOKE_TEXTS = {
  title: (name: string) => `Revoke ${name}`,
  used: (ago: string, checks: string) => `Last used ${ago}, ${checks} in 30 days.`,
  unused: 'This key was never used.',
  consequence:
    'Requests with this key are refused immediately. You cannot undo this; its checks stay in your logs and on your bill.',
  label: 'Key name',
  action: 'Revoke key',
};

export const RENAME_TEXTS = { title: 'Rename the key', name: 'Name', submit: 'Save name' };
