import { isMonth } from '@verdict/domain/month.js';
import { InvalidArgumentError, Option } from 'commander';

const monthOption = (flag: string, description: string): Option =>
  new Option(`--${flag} <YYYY-MM>`, description).argParser((text: string) => {
    if (!isMonth(text)) throw new InvalidArgumentError('Say a month as YYYY-MM.');
    return text;
  });

export const periodOption = (description: string): Option => monthOption('period', description);
export const issuedOption = (description: string): Option => monthOption('issued', description);
