import { type AccountView, admit, type Caller } from '@verdict/redis-store/admit.js';
import type { RedisConnection } from '@verdict/redis-store/connect.js';
import { keyInactive, unavailable } from '@verdict/service-kit/errors.js';
import type { AccountProjector } from './account-projector.js';

interface LookDependencies {
  readonly redis: RedisConnection;
  readonly projector: AccountProjector;
}

/** The account as admission would see it now, without counting anything. */
export async function lookAtAccount(
  { redis, projector }: LookDependencies,
  caller: Caller,
): Promise<AccountView> {
  const look = () =>
    admit(redis, caller, []).catch((error) => {
      throw unavailable('admission', error);
    });
  let reply = await look();
  if (reply.state === 'absent') {
    await projector.project(caller.accountId);
    reply = await look();
  }
  if (reply.state === 'absent') throw unavailable('projection');
  if (reply.state === 'forbidden') throw keyInactive({ accountId: caller.accountId, keyId: caller.keyId });
  return reply.account;
}
