import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import type { EmailAddress } from '@verdict/domain/address/email-address.js';
import { looksRandom } from './looks-random.js';

export interface LocalFacts {
  readonly role: boolean;
  readonly noReply: boolean;
  readonly plusTag: boolean;
  readonly random: boolean;
}

const PLUS = 43;

/** What the mailbox name says by itself. */
export function judgeLocal(address: EmailAddress, datasets: DatasetSnapshot): LocalFacts {
  const { canonical } = address;
  const at = canonical.length - address.domain.length - 1;
  const plus = canonical.indexOf('+');
  const plusTag = plus > 0 && plus < at && !address.quoted;
  const name = canonical.slice(0, plusTag ? plus : at);
  const kind = datasets.roles.get(withoutSeparators(name));
  return {
    role: kind === 'role',
    noReply: kind === 'unattended',
    plusTag,
    random: kind === undefined && looksRandom(name),
  };
}

/** "no-reply", "no_reply" and "no.reply" are one name. Most names have no separator and are returned as they are. */
function withoutSeparators(name: string): string {
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    if (code === 45 || code === 46 || code === 95) return name.replace(/[-._]/g, '');
    if (code === PLUS) return name;
  }
  return name;
}
