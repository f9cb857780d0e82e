import { UPGRADE_URL } from '@verdict/contracts/api-paths.js';
import type { Plan, Plans } from '@verdict/domain/plans.js';

/** Fields of a refusal at a limit of the plan: where to get a larger one, if there is one. */
export const upgradeBeyond = (
  plans: Plans,
  limit: keyof Pick<Plan, 'bulkKeptBytes' | 'bulkRowsMax' | 'listEntries'>,
  present: number,
): { readonly upgrade_url?: string } =>
  [...plans.values()].some((plan) => plan[limit] > present) ? { upgrade_url: UPGRADE_URL } : {};
