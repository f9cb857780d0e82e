import type { ExtraSignals, Signals } from '@verdict/contracts/signals.js';

export const PLAYGROUND_TEXTS = {
  title: 'Playground',
  intro: 'Check an address and see why. Uses one check and appears in Logs.',
  email: 'Email address',
  ip: 'IP address (optional)',
  key: 'Key',
  check: 'Check',
  noKey: 'You need an active key to run a check.',
  createKey: 'Create a key',
  before: 'Try one of these, or any other address:',
  score: 'Risk score',
  factors: 'How the score adds up',
  factorTotal: 'Risk score',
  noFactors: 'No risk found.',
  signals: 'Signals',
  yes: 'yes',
  no: 'no',
  notChecked: 'could not be checked',
  none: 'none',
  openLog: 'Open in Logs',
  call: 'The same call in code',
  raw: 'Raw JSON',
  rawLabel: 'Response of the API',
  failed: 'Check refused',
};

export const SIGNAL_NAMES: Readonly<Record<string, string>> = {
  disposable_email: 'Disposable domain',
  mx_valid: 'Domain accepts mail',
  free_provider: 'Free provider',
  role_account: 'Role account',
  no_reply: 'No-reply mailbox',
  relay: 'Forwards to a hidden address',
  mx_unknown: 'Mail servers not checked',
  plus_tag: 'Has a +tag',
  suggestion: 'Suggested correction',
} satisfies Record<keyof Signals | keyof ExtraSignals, string>;

export const SAMPLES = [
  'test@mailinator.com',
  'jane.doe@gmail.com',
  'info@example.com',
  'jane@gmial.com',
] as const;
