import { contractFlags, expandedFlags, expandedTexts, mapFlags } from '@verdict/contracts/signal-flags.js';

const named = { ...contractFlags, ...expandedFlags, ...expandedTexts };

export const SIGNAL_NAMES: Readonly<Record<string, string>> = mapFlags(named, ({ label }) => label);

export const SAMPLES = [
  'test@mailinator.com',
  'jane.doe@gmail.com',
  'info@example.com',
  'jane@gmial.com',
] as const;
