import { hash, verify } from '@node-rs/argon2';

/**
 * Parameters of argon2id, the library's default algorithm: what OWASP asks for at 19 MiB, and the least that argon2
 * accepts. A hash carries its own parameters, so `matchesHash` needs no cost.
 */
const PARAMETERS = {
  owasp: { memoryCost: 19_456, timeCost: 2, parallelism: 1 },
  'insecure-for-tests': { memoryCost: 8, timeCost: 1, parallelism: 1 },
};

export type HashCost = keyof typeof PARAMETERS;

export const hashPassword = (password: string, cost: HashCost = 'owasp'): Promise<string> =>
  hash(password, PARAMETERS[cost]);

export const matchesHash = (passwordHash: string, password: string): Promise<boolean> =>
  verify(passwordHash, password);
