import { hash, verify } from '@node-rs/argon2';
import { unavailable } from '@verdict/service-kit/errors.js';
import { createTurns } from './turns.js';

/** argon2id, which is the library's default, with the parameters OWASP gives for 19 MiB. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing shares libuv's four threads with DNS and files: two at a time leave the process responsive. */
const AT_ONCE = 2;
const WAITING_MAX = 64;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** With no hash to compare to it takes as long and is false: an unknown user must not be told by the clock. */
  matches(passwordHash: string | null, password: string): Promise<boolean>;
}

export async function createPasswords(): Promise<Passwords> {
  const turns = createTurns(AT_ONCE, WAITING_MAX, () => unavailable('password hashing'));
  const nobody = await hash('nobody has this password', OPTIONS);
  return {
    hash: (password) => turns(() => hash(password, OPTIONS)),
    async matches(passwordHash, password) {
      const same = await turns(() => verify(passwordHash ?? nobody, password));
      return same && passwordHash !== null;
    },
  };
}
