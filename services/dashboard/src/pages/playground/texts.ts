import type { ExtraSignals, Signals } from '@verdict/contracts/signals.js';

export const PLAYGROUND_TEXTS = {
  title: 'Playground',
  intro:
    'One check, explained. It is a real one: it counts against the month’s quota and appears in the logs.',
  email: 'Email address',
  ip: 'IP address (optional)',
  key: 'Key',
  check: 'Check',
  noKey: 'A check is made with a key, and there is none that is active.',
  createKey: 'Create a key',
  before: 'Try one of these, or any other address:',
  score: 'Risk score',
  factors: 'How the score comes about',
  factorTotal: 'Risk score',
  noFactors: 'No factor applied: nothing speaks against this address.',
  reasons: 'Reasons',
  noReasons: 'None.',
  signals: 'Signals',
  yes: 'yes',
  no: 'no',
  none: 'none',
  data: 'Judged with',
  openLog: 'Open in the logs',
  logSoon: 'It is in the logs within a second or so.',
  call: 'The same call in code',
  raw: 'Raw JSON',
  rawLabel: 'The answer of the API',
  failed: 'The check was refused',
};

export const SIGNAL_NAMES: Readonly<Record<string, string>> = {
  disposable_email: 'Disposable domain',
  mx_valid: 'Domain accepts mail',
  free_provider: 'Free provider',
  role_account: 'Role account',
  no_reply: 'No-reply mailbox',
  relay: 'Forwards to a hidden address',
  mx_unknown: 'Mail servers not known',
  plus_tag: 'Has a +tag',
  suggestion: 'Probably meant',
} satisfies Record<keyof Signals | keyof ExtraSignals, string>;

export const SAMPLES = [
  'test@mailinator.com',
  'jane.doe@gmail.com',
  'info@example.com',
  'jane@gmial.com',
] as const;
