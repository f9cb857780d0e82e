import { normalizeIP } from '@fastify/rate-limit';
import { type HashCost, hashPassword, matchesHash } from '@verdict/db/people/password-hash.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { inTurn } from '@verdict/shares/in-turn.js';
import { createSemaphore } from '@verdict/shares/semaphore.js';

const WAITING_MAX = 64;

/** The owner of a place in the queue. */
export interface HashOwner {
  /** A user, or the address of a stranger. */
  readonly owner: string;
  /** A login of this browser or address succeeded before, or there is a session. */
  readonly isKnown: boolean;
  /** Ends the wait of who has gone. */
  readonly signal: AbortSignal | undefined;
}

export const strangerAt = (ip: string, signal: HashOwner['signal']): HashOwner => ({
  owner: normalizeIP(ip),
  isKnown: false,
  signal,
});
export const knownUser = (userId: string, signal: HashOwner['signal']): HashOwner => ({
  owner: userId,
  isKnown: true,
  signal,
});

export type Passwords = Awaited<ReturnType<typeof createPasswords>>;

/**
 * Hashes passwords two at a time, which leaves two of libuv's four threads to DNS and files. Known people have a thread of
 * their own, so that guesses from many addresses do not keep them waiting.
 */
export async function createPasswords(cost: HashCost) {
  const known = createSemaphore({ capacity: 1, queueMax: WAITING_MAX });
  const strangers = createSemaphore({ capacity: 1, queueMax: WAITING_MAX });
  const turns = <T>({ owner, isKnown, signal }: HashOwner, work: () => Promise<T>) =>
    inTurn(isKnown ? known : strangers, work, {
      owners: [owner],
      signal,
      refusal: () => unavailable('password hashing'),
    });
  const nobody = await hashPassword('a password that no user has', cost);
  return {
    hash: (password: string, by: HashOwner) => turns(by, () => hashPassword(password, cost)),
    /** Without a hash to compare it takes as long and is false, so timing does not reveal unknown users. */
    async matches(passwordHash: string | null, password: string, by: HashOwner) {
      const same = await turns(by, () => matchesHash(passwordHash ?? nobody, password));
      return same && passwordHash !== null;
    },
  };
}
