/**
 * The longest that a check can take from its admission to its place in the queue, with room for clocks that differ. A
 * job queued later than this after an admission cannot carry that check.
 */
export const REQUEST_LIFE_MAX_MS = 30_000;
