import { aboutSecondFactor, type Sealer } from '@verdict/domain/sealed-text.js';
import type { Database } from '../database/client.js';
import { nullable, text } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

export interface Resealed {
  readonly resealed: number;
  /** No key opens them: they need the key that is missing, or were copied here from another row. */
  readonly unreadable: number;
}

/**
 * Seals secrets of webhooks, hooks and second factors again with the first key, so that the others can go. One that changes
 * meanwhile is left as it is: it was sealed with the first key just now.
 */
export async function resealSecrets(db: Database, sealer: Sealer): Promise<Resealed> {
  let [resealed, unreadable] = [0, 0];
  const reseal = async (sealed: string, about: string, store: (renewed: string) => Promise<number>) => {
    if (sealer.isNewest(sealed)) return;
    const text = sealer.open(sealed, about);
    if (text === null) unreadable += 1;
    else resealed += await store(sealer.seal(text, about));
  };
  const factors = await rowsOf(db, { user_id: text, sealed: text })`
    SELECT user_id, sealed FROM second_factors`;
  for (const { user_id: userId, sealed } of factors) {
    await reseal(
      sealed,
      aboutSecondFactor(userId),
      (renewed) => db.$executeRaw`
        UPDATE second_factors SET sealed = ${renewed} WHERE user_id = ${userId} AND sealed = ${sealed}`,
    );
  }
  const endpoints = await rowsOf(db, { id: text, secret: text, old_secret: nullable(text) })`
    SELECT id, secret, old_secret FROM webhook_endpoints`;
  for (const { id, secret, old_secret: old } of endpoints) {
    await reseal(
      secret,
      id,
      (renewed) => db.$executeRaw`
        UPDATE webhook_endpoints SET secret = ${renewed} WHERE id = ${id} AND secret = ${secret}`,
    );
    if (old === null) continue;
    await reseal(
      old,
      id,
      (renewed) => db.$executeRaw`
        UPDATE webhook_endpoints SET old_secret = ${renewed} WHERE id = ${id} AND old_secret = ${old}`,
    );
  }
  const hooks = await rowsOf(db, { id: text, secret: text })`SELECT id, secret FROM hooks`;
  for (const { id, secret } of hooks) {
    await reseal(
      secret,
      id,
      (renewed) =>
        db.$executeRaw`UPDATE hooks SET secret = ${renewed} WHERE id = ${id} AND secret = ${secret}`,
    );
  }
  return { resealed, unreadable };
}
