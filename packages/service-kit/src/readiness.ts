/** Why a service is not ready, or null when it is. Dependencies that others share do not belong here. */
export type NotReadyReason = 'starting' | 'draining' | string | null;

export type Readiness = ReturnType<typeof createReadiness>;

export function createReadiness() {
  let state: NotReadyReason = 'starting';
  const checks: (() => NotReadyReason)[] = [];
  return {
    ready() {
      if (state === 'starting') state = null;
    },
    drain() {
      state = 'draining';
    },
    /** Something this process must have loaded before it can answer. */
    require(check: () => NotReadyReason) {
      checks.push(check);
    },
    reason() {
      if (state) return state;
      for (const check of checks) {
        const reason = check();
        if (reason) return reason;
      }
      return null;
    },
    get draining() {
      return state === 'draining';
    },
  };
}
