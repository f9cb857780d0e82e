/** Why a service is not ready, or null when it is. Dependencies that others share do not belong here. */
export type NotReadyReason = 'starting' | 'draining' | string | null;

export interface Readiness {
  ready(): void;
  drain(): void;
  /** Something this process must have loaded before it can answer. */
  require(check: () => NotReadyReason): void;
  reason(): NotReadyReason;
  readonly draining: boolean;
}

export function createReadiness(): Readiness {
  let state: NotReadyReason = 'starting';
  const checks: (() => NotReadyReason)[] = [];
  return {
    ready() {
      if (state === 'starting') state = null;
    },
    drain() {
      state = 'draining';
    },
    require(check) {
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
