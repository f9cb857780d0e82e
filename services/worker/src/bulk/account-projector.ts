import { INTERNAL_TOKEN_HEADER, projectPath } from '@verdict/contracts/control-plane-api.js';
import { readInternalTokens } from '@verdict/service-kit/internal-tokens.js';
import type { WorkerConfig } from '../config.js';

const TIMEOUT_MS = 5_000;

/** Has the control plane bring a lost account back into Redis, as gateways do: a job must not wait for its customer to call. */
export function createAccountProjector({
  CONTROL_PLANE_INTERNAL_URL: url,
  INTERNAL_TOKEN: token,
}: WorkerConfig): (accountId: string) => Promise<void> {
  return async (accountId) => {
    if (url === undefined || token === undefined) throw new Error(`account ${accountId} is not in Redis`);
    const { status } = await fetch(new URL(projectPath(accountId), url), {
      method: 'POST',
      headers: { [INTERNAL_TOKEN_HEADER]: readInternalTokens(token).sent },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (status !== 200)
      throw new Error(`the control plane answered ${status} to the projection of ${accountId}`);
  };
}
