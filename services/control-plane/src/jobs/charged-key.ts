import { invalidField, keyInactive, keyMismatch, keyNotOwned } from '@verdict/service-kit/errors.js';
import type { KeyCaller } from '../http/control-plane-app.js';

/** Which key a job is charged to: the one that was sent, or with a token the own one that is named. */
export async function chargedKey(
  { account, keyId, userId }: KeyCaller,
  apiKeyId: string | undefined,
): Promise<string> {
  if (userId !== null && apiKeyId === undefined) {
    throw invalidField('api_key_id', 'is required when a bearer token is sent');
  }
  if (keyId !== null && apiKeyId !== undefined && apiKeyId !== keyId) throw keyMismatch({ keyId });
  const charged = keyId ?? apiKeyId ?? '';
  const key = await account.keys.find(charged);
  if (!key) throw keyNotOwned();
  if (key.status !== 'active') throw keyInactive({ keyId: charged });
  // Test checks are kept apart and counted nowhere: nothing could say how far such a job is.
  if (key.mode === 'test') throw invalidField('api_key_id', 'is a test key; files need a live key');
  return charged;
}
