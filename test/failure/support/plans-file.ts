import { fileURLToPath } from 'node:url';

/** Plans of these tests: one without limits that would get in the way, and one that is soon used up. */
export const PLANS_FILE = fileURLToPath(new URL('../../../failure/plans.json', import.meta.url));
