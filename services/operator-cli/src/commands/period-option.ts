import { isMonth } from '@verdict/domain/month.js';
import { InvalidArgumentError, Option } from 'commander';

/** Reads a month that an operator typed. */
export function readMonth(text: string): string {
  if (!isMonth(text)) throw new InvalidArgumentError('Say a month as YYYY-MM.');
  return text;
}

const monthOption = (flag: string, description: string): Option =>
  new Option(`--${flag} <YYYY-MM>`, description).argParser(readMonth);

export const periodOption = (description: string): Option => monthOption('period', description);
export const beforeOption = (description: string): Option => monthOption('before', description);
export const fromOption = (description: string): Option => monthOption('from', description);
export const issuedOption = (description: string): Option => monthOption('issued', description);
