import { type HashCost, hashPassword, matchesHash } from '@verdict/db/people/password-hash.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { inTurn } from '@verdict/shares/in-turn.js';
import { createSemaphore } from '@verdict/shares/semaphore.js';

/** Hashing shares libuv's four threads with DNS and files: two at a time leave the process responsive. */
const AT_ONCE = 2;
const WAITING_MAX = 64;

export type Passwords = Awaited<ReturnType<typeof createPasswords>>;

export async function createPasswords(cost: HashCost) {
  const threads = createSemaphore({ capacity: AT_ONCE, queueMax: WAITING_MAX });
  const turns = <T>(work: () => Promise<T>) =>
    inTurn(threads, work, { refusal: () => unavailable('password hashing') });
  const nobody = await hashPassword('a password that no user has', cost);
  return {
    hash: (password: string) => turns(() => hashPassword(password, cost)),
    /** Without a hash to compare it takes as long and is false, so timing does not reveal unknown users. */
    async matches(passwordHash: string | null, password: string) {
      const same = await turns(() => matchesHash(passwordHash ?? nobody, password));
      return same && passwordHash !== null;
    },
  };
}
