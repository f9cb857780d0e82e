import type { LookUp } from '@verdict/admission/look-up-networks.js';
import type { createScoringClient } from '@verdict/scoring-client/scoring-client.js';

/** Looks networks up in the IP data of scoring. */
export const lookUpBy =
  (scoring: Pick<ReturnType<typeof createScoringClient>, 'ips'>): LookUp =>
  async (ips) =>
    (await scoring.ips({ ips: [...ips] })).networks;
