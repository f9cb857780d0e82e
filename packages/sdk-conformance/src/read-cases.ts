import { readdirSync, readFileSync } from 'node:fs';
import type { Case } from './case.js';

export interface Subject {
  readonly subject: string;
  readonly cases: readonly Case[];
}

/** Every case, by subject. @param directory the `data` folder of this package */
export const readCases = (directory: string): Subject[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => ({
      subject: name.replace(/^\d+-|\.json$/g, '').replaceAll('-', ' '),
      cases: JSON.parse(readFileSync(`${directory}/${name}`, 'utf8')) as Case[],
    }));
