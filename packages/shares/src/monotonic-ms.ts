/** Reads the monotonic clock: a wall clock that is set back would stretch every wait by as much. */
export const monotonicMs = (): number => performance.now();
