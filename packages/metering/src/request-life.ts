/**
 * The longest that a check can take from its place in a sender's hands to its place in the queue, with room for clocks
 * that differ. A job queued later than this after a moment cannot carry a check from before it.
 */
export const REQUEST_LIFE_MAX_MS = 30_000;
