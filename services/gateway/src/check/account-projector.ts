import { apiKeyInvalid, unavailable } from '@verdict/service-kit/errors.js';
import { createSingleFlight } from '@verdict/service-kit/single-flight.js';
import type { ControlPlaneClient } from '../clients/control-plane-client.js';

/** Has a lost account brought back into Redis, once for all requests that miss it at the same time. */
export function createAccountProjector(
  controlPlane: Pick<ControlPlaneClient, 'project'>,
): (accountId: string) => Promise<void> {
  const inOneFlight = createSingleFlight<void>();

  async function ask(accountId: string): Promise<void> {
    const found = await controlPlane.project(accountId).catch((error) => {
      throw unavailable('projection', error);
    });
    // Postgres does not know the account either: its key cannot be good.
    if (!found) throw apiKeyInvalid({ accountId, why: 'account unknown' });
  }

  return (accountId) => inOneFlight(accountId, () => ask(accountId));
}
