import { aboutSecondFactor, aboutSignOn, type Sealer } from '@verdict/domain/sealed-text.js';
import type { Database } from '../database/client.js';

export interface Resealed {
  readonly resealed: number;
  /** No key opens them: they need the key that is missing, or were copied here from another row. */
  readonly unreadable: number;
}

/**
 * Seals secrets of webhooks, hooks, second factors and single sign-on again with the first key, so that the others can go. One that changes
 * meanwhile is left as it is: it was sealed with the first key just now.
 */
export async function resealSecrets(db: Database, sealer: Sealer): Promise<Resealed> {
  let [resealed, unreadable] = [0, 0];
  const reseal = async (
    sealed: string,
    about: string,
    store: (renewed: string) => PromiseLike<{ count: number }>,
  ) => {
    if (sealer.isNewest(sealed)) return;
    const text = sealer.open(sealed, about);
    if (text === null) unreadable += 1;
    else resealed += (await store(sealer.seal(text, about))).count;
  };
  for (const { userId, sealed } of await db.secondFactor.findMany({
    select: { userId: true, sealed: true },
  })) {
    await reseal(sealed, aboutSecondFactor(userId), (renewed) =>
      db.secondFactor.updateMany({ where: { userId, sealed }, data: { sealed: renewed } }),
    );
  }
  const endpoints = await db.webhookEndpoint.findMany({
    select: { id: true, secret: true, oldSecret: true },
  });
  for (const { id, secret, oldSecret } of endpoints) {
    await reseal(secret, id, (renewed) =>
      db.webhookEndpoint.updateMany({ where: { id, secret }, data: { secret: renewed } }),
    );
    if (oldSecret === null) continue;
    await reseal(oldSecret, id, (renewed) =>
      db.webhookEndpoint.updateMany({ where: { id, oldSecret }, data: { oldSecret: renewed } }),
    );
  }
  for (const { id, secret } of await db.hook.findMany({ select: { id: true, secret: true } })) {
    await reseal(secret, id, (renewed) =>
      db.hook.updateMany({ where: { id, secret }, data: { secret: renewed } }),
    );
  }
  const connections = await db.ssoConnection.findMany({ select: { accountId: true, clientSecret: true } });
  for (const { accountId, clientSecret } of connections) {
    await reseal(clientSecret, aboutSignOn(accountId), (renewed) =>
      db.ssoConnection.updateMany({ where: { accountId, clientSecret }, data: { clientSecret: renewed } }),
    );
  }
  return { resealed, unreadable };
}
