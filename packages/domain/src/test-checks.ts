/** Checks a day with all test keys of an account: enough for tests and CI, too few to work with. */
export const TEST_CHECKS_PER_DAY = 1_000;
