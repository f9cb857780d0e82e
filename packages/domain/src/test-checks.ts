/** Verdicts a day that an account gets unmetered, from its test keys, tries and evidence: enough for tests and CI, too few to work with. */
export const TEST_CHECKS_PER_DAY = 1_000;
