import { findSelfOrParent } from '@verdict/datasets/find-self-or-parent.js';
import type { DatedLists } from './read-lists.js';
import { loadPackage } from './read-package.js';

export interface DeepEmailValidator {
  validate(options: Record<string, unknown>): Promise<{ valid: boolean }>;
}

const deep = loadPackage<DeepEmailValidator>('deep-email-validator');

export interface Peer {
  readonly name: string;
  refuses(domain: string): Promise<boolean>;
}

/** Their verdict is yes or no; a name below a listed one counts as listed, which is how mailchecker reads its own list. */
export function peersOfDay(lists: DatedLists): Peer[] {
  const mailchecker = new Set(lists.mailchecker);
  const curated = new Set(lists.curated);
  return [
    {
      name: 'mailchecker',
      refuses: async (domain) => findSelfOrParent(domain, mailchecker) !== undefined,
    },
    {
      name: 'disposable-email-domains-js',
      refuses: async (domain) => findSelfOrParent(domain, curated) !== undefined,
    },
    {
      name: 'deep-email-validator',
      async refuses(domain) {
        const { valid } = await deep.validate({
          email: `jane@${domain}`,
          validateRegex: false,
          validateMx: false,
          validateTypo: false,
          validateSMTP: false,
        });
        return !valid;
      },
    },
  ];
}
