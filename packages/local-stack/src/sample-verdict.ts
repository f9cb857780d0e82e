import { expandedFlags, mapFlags } from '@verdict/contracts/signal-flags.js';
import type { Verdict } from '@verdict/contracts/verdict.js';

/** A verdict as scoring sends it, for tests and benchmarks. Deliverable mail, no flag, no factor, unless told otherwise. */
export const sampleVerdict = (fields: Partial<Verdict> = {}): Verdict => ({
  risk_score: 0,
  signals: { disposable_email: false, mx_valid: true, free_provider: false },
  extra: { ...mapFlags(expandedFlags, () => false), suggestion: null },
  factors: [],
  datasets: '2026-11-01/2026-11-01/2026-11-01',
  ...fields,
});
