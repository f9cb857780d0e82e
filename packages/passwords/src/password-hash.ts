import { hash, verify } from '@node-rs/argon2';

/** argon2id, which is the library's default, with the parameters OWASP gives for 19 MiB. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

export const matchesHash = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password);
