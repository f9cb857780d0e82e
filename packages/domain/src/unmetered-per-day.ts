/** Verdicts a day that an account gets unmetered, from test keys, tries and evidence, where its plan does not say. */
export const UNMETERED_PER_DAY = 1_000;
