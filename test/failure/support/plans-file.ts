import { inRoot } from '@verdict/local-stack/paths.js';

/** Plans of these tests: one without limits that would get in the way, and one that is soon used up. */
export const PLANS_FILE = inRoot('test/failure/plans.json');
