import { LRUCache } from 'lru-cache';

/** The needs of a caller as the last look or step named them. Only a hint: the step decides. */
export interface KnownCaller {
  readonly hasLists: boolean;
  readonly counts: boolean;
  /** The key is bound to networks. */
  readonly isBound: boolean;
  /** Versions of the account's policy, "<live>/<shadow>"; '' for none. */
  readonly policies: string;
}

/** `maxSize`, unlike `max`, takes their memory when it is needed and not at the start. */
const CALLERS = { maxSize: 50_000, sizeCalculation: () => 1 };
/** Servers of a customer that share a key bound to networks. */
const PLACES_MAX = 16;

const PLAIN: KnownCaller = { hasLists: false, counts: false, isBound: false, policies: '' };

interface Entry {
  known: KnownCaller;
  needs: string;
  /** The last step was granted. */
  isGranted: boolean;
  /** Of a key bound to networks: from where. */
  places: string[];
}

export type KnownCallers = ReturnType<typeof createKnownCallers>;

/** Remembers callers by their credential. */
export function createKnownCallers() {
  const entries = new LRUCache<string, Entry>(CALLERS);
  return {
    get: (credential: string): KnownCaller | undefined => entries.get(credential)?.known,
    /** Keeps what a step needs, as a look or a step told it. */
    learn(credential: string, needs = '', policies = ''): void {
      const entry = entries.get(credential);
      if (entry && entry.needs === needs && entry.known.policies === policies) return;
      const known = {
        hasLists: needs.includes('l'),
        counts: needs.includes('c'),
        isBound: needs.includes('f'),
        policies,
      };
      entries.set(credential, { isGranted: false, places: [], ...entry, known, needs });
    },
    granted(credential: string, from: (() => string) | undefined): void {
      const entry = entries.get(credential);
      // One that was not known was granted with nothing, so it needs nothing.
      if (!entry) entries.set(credential, { known: PLAIN, needs: '', isGranted: true, places: [] });
      if (!entry) return;
      entry.isGranted = true;
      if (!entry.known.isBound) return;
      const place = from?.() ?? '';
      if (!entry.places.includes(place)) entry.places = [place, ...entry.places.slice(0, PLACES_MAX - 1)];
    },
    refused(credential: string): void {
      const entry = entries.get(credential);
      if (entry) Object.assign(entry, { isGranted: false, places: [] });
    },
    /**
     * True for a caller whose last step was granted: looking first would only cost a round trip. The owner of a stolen key
     * may be granted what its thief is not, so a key bound to networks is trusted only where it was granted.
     */
    isTrusted(credential: string, from: (() => string) | undefined): boolean {
      const entry = entries.get(credential);
      if (!entry?.isGranted) return false;
      return !entry.known.isBound || entry.places.includes(from?.() ?? '');
    },
  };
}
