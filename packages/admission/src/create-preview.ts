import type { ListMatch, Seen } from '@verdict/contracts/step-note.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';
import { preview } from '@verdict/redis-store/step.js';
import type { Fingerprint } from './create-fingerprints.js';
import { readNote } from './read-note.js';
import { seenOf } from './seen-of.js';
import { type Meetable, toSubject } from './to-subject.js';

/** The facts that checks of an account would meet if they were submitted together now. */
export interface Preview {
  /** The clock of Redis, which would be their created_at. */
  readonly nowMicros: number;
  /** Entries of the account's lists, by position of the check. */
  readonly matches: readonly ListMatch[];
  /** Repetitions with these checks, by position; empty for an account that counts none. */
  readonly seen: readonly Seen[];
  /** Versions of the policy in use, "<live>/<shadow>"; '' for none. */
  readonly policies: string;
  /** Whether the account has the networks of IPs looked up. */
  readonly wantsIpNetworks: boolean;
}

export interface PreviewOptions {
  readonly store: AccountStore;
  /** Brings an account into Redis that is not there. Throws when there is none. */
  readonly project: (accountId: string) => Promise<void>;
  /** Names what of a check is counted; without it nothing is. */
  readonly fingerprint?: Fingerprint | undefined;
}

/** Asks the step's own script what checks would meet, without writing anything: no key, rate or quota is asked or spent. */
export function createPreview({ store, project, fingerprint }: PreviewOptions) {
  const ask = async (accountId: string, checks: readonly Meetable[]) => {
    const things = fingerprint && checks.map((check) => fingerprint(accountId, check));
    return readNote(await preview(store, { accountId, subjects: checks.map(toSubject), things }));
  };
  return async (accountId: string, checks: readonly Meetable[]): Promise<Preview> => {
    let note = await ask(accountId, checks);
    if (note.groups[0]?.outcome === 'absent') {
      await project(accountId);
      note = await ask(accountId, checks);
    }
    const [group] = note.groups;
    if (group?.outcome !== 'granted') throw new Error(`a preview answered ${group?.outcome}`);
    const { matches = [], policies = '', networks = true } = group;
    return { nowMicros: note.now, matches, seen: seenOf(group), policies, wantsIpNetworks: networks };
  };
}
