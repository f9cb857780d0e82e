import { contractFlags, expandedFlags, expandedTexts, mapFlags } from '@verdict/contracts/signal-flags.js';

export const PLAYGROUND_TEXTS = {
  title: 'Playground',
  intro: 'Check an address and see why. Uses one check and appears in Logs.',
  email: 'Email address',
  ip: 'IP address (optional)',
  ipWord: 'IP address',
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
  changePlan: 'Change plan',
};

const named = { ...contractFlags, ...expandedFlags, ...expandedTexts };

export const SIGNAL_NAMES: Readonly<Record<string, string>> = mapFlags(named, ({ label }) => label);

export const SAMPLES = [
  'test@mailinator.com',
  'jane.doe@gmail.com',
  'info@example.com',
  'jane@gmial.com',
] as const;
