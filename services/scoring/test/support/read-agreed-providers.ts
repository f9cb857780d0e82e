import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inRoot } from '@verdict/local-stack/paths.js';
import { parse } from 'tldts';

const require = createRequire(inRoot('services/scoring/package.json'));

/** Registrable names in both published lists of mail providers. One list alone names throw-away services too often. */
export function readAgreedProviders(): string[] {
  const providers = require('email-providers/all.json') as string[];
  const free = new Set(readFileSync(require.resolve('freemail/data/free.txt'), 'utf8').split('\n'));
  const registrable = providers
    .filter((name) => free.has(name))
    .flatMap((name) => {
      const { domain, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true });
      return domain !== null && isIcann === true && isPrivate !== true ? [domain] : [];
    });
  return [...new Set(registrable)];
}
