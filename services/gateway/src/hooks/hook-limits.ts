export type HookLimits = ReturnType<typeof hookLimits>;

/**
 * Divides the time that a hook's answer may take among what could hang on the way. The check gets what finding the hook
 * left of it.
 */
export const hookLimits = (answerMs: number) => ({
  answerMs,
  /** Redis answers in a millisecond or is away. */
  redisMs: answerMs * 0.3,
  /** The control plane knows `on_error` while Redis is away. */
  controlPlaneMs: answerMs * 0.4,
  /** Brings an account back that Redis lost. */
  projectMs: answerMs * 0.2,
});
