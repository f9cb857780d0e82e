import { call } from './call.ts';
import { session } from './session.ts';

/** Moves this login to another account of its user. */
export async function switchAccount(id: string): Promise<void> {
  session.moveTo((await call('POST /auth/jwt/switch/', { body: { account_id: id } })).access);
}
