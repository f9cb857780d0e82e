import { isMonth } from '@verdict/domain/month.js';
import { InvalidArgumentError, Option } from 'commander';

export const periodOption = (description: string): Option =>
  new Option('--period <YYYY-MM>', description).argParser((text: string) => {
    if (!isMonth(text)) throw new InvalidArgumentError('Say a month as YYYY-MM.');
    return text;
  });
