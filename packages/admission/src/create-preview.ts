import type { ListMatch, Seen } from '@verdict/contracts/step-note.js';
import type { Fingerprint } from './create-fingerprints.js';
import { type PreviewOptions, previewNote } from './preview-note.js';
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

interface Options extends PreviewOptions {
  /** Names what of a check is counted; without it nothing is. */
  readonly fingerprint?: Fingerprint | undefined;
}

/** Asks the step's own script what checks would meet, without writing anything: no key, rate or quota is asked or spent. */
export function createPreview({ fingerprint, ...options }: Options) {
  return async (accountId: string, checks: readonly Meetable[]): Promise<Preview> => {
    const things = fingerprint && checks.map((check) => fingerprint(accountId, check));
    const { now, group } = await previewNote(options, {
      accountId,
      subjects: checks.map(toSubject),
      things,
    });
    const { matches = [], policies = '', networks = true } = group;
    return { nowMicros: now, matches, seen: seenOf(group), policies, wantsIpNetworks: networks };
  };
}
