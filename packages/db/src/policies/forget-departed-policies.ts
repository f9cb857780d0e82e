import type { Database } from '../database/client.js';

/** Longer than checks wait to be stored, also as dead letters, because these keep their month open. */
const DAYS = 60;

/** Deletes the policies of accounts that left long ago; until then their last checks may still be judged. Returns how many. */
export const forgetDepartedPolicies = (db: Database): Promise<number> => db.$executeRaw`
  DELETE FROM policies p USING plan_changes c
  WHERE c.account_id = p.account_id AND c.to_plan = 'none' AND c.made_at < now() - make_interval(days => ${DAYS})`;
