import { INTERNAL_TOKEN_HEADER, identityPath, projectPath } from '@verdict/contracts/control-plane-api.js';
import { hashApiKey } from '@verdict/domain/api-key.js';
import { http } from './http.js';
import type { SeededAccount } from './seed-account.js';

/** Has the control plane write into Redis what the gateway asks there, as it does for an account that Redis has lost. */
export async function projectAccount(
  internalUrl: string,
  internalToken: string,
  { accountId, apiKey }: SeededAccount,
): Promise<void> {
  const headers = { [INTERNAL_TOKEN_HEADER]: internalToken };
  const answers = await Promise.all([
    http(`${internalUrl}${projectPath(accountId)}`, { method: 'POST', headers }),
    http(`${internalUrl}${identityPath(hashApiKey(apiKey))}`, { headers }),
  ]);
  const refused = answers.find(({ status }) => status !== 200);
  if (refused) throw new Error(`the account could not be projected: ${refused.text}`);
}
