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
  if (keyId !== null) {
    if (apiKeyId !== undefined && apiKeyId !== keyId) throw keyMismatch({ keyId });
    return keyId;
  }
  const status = await account.jobs.keyStatus(apiKeyId ?? '');
  if (status === null) throw keyNotOwned();
  if (status !== 'active') throw keyInactive({ keyId: apiKeyId });
  return apiKeyId ?? '';
}
