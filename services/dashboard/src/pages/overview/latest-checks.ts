/** How many of the latest checks the overview shows. */
export const LATEST_CHECKS = 8;
