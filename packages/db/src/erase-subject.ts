import type { Database } from './client.js';

/** Forgets whom checks were about; the checks themselves and every count stay. Returns how many checks it touched. */
export const eraseSubjects = (db: Database, emailHashes: readonly string[]): Promise<number> =>
  db.$executeRaw`DELETE FROM check_subjects WHERE email_hash = ANY(${[...emailHashes]}::text[])`;

export interface Erasure {
  readonly id: string;
  readonly emailHash: string;
  readonly spellingHashes: readonly string[];
  readonly checks: number;
  readonly deadLetters: number;
}

/** The receipt: it proves that an address was erased without naming it. */
export async function recordErasure(db: Database, erasure: Erasure): Promise<void> {
  await db.erasure.create({
    data: { ...erasure, spellingHashes: [...erasure.spellingHashes], checks: BigInt(erasure.checks) },
  });
}
