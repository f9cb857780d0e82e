import { type HashCost, hashPassword, matchesHash } from '@verdict/db/people/password-hash.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { inTurn } from '@verdict/shares/in-turn.js';
import { createSemaphore } from '@verdict/shares/semaphore.js';

/** Hashing shares libuv's four threads with DNS and files: two at a time leave the process responsive. */
const AT_ONCE = 2;
const WAITING_MAX = 64;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash to compare it takes as long and is false, so timing does not reveal unknown users. */
  matches(passwordHash: string | null, password: string): Promise<boolean>;
}

export async function createPasswords(cost: HashCost): Promise<Passwords> {
  const threads = createSemaphore({ capacity: AT_ONCE, queueMax: WAITING_MAX });
  const turns = <T>(work: () => Promise<T>) =>
    inTurn(threads, work, { refusal: () => unavailable('password hashing') });
  const nobody = await hashPassword('a password that no user has', cost);
  return {
    hash: (password) => turns(() => hashPassword(password, cost)),
    async matches(passwordHash, password) {
      const same = await turns(() => matchesHash(passwordHash ?? nobody, password));
      return same && passwordHash !== null;
    },
  };
}
