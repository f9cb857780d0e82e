import type { ExtraSignals } from '@verdict/contracts/signals.js';
import type { Verdict } from '@verdict/contracts/verdict.js';

/** A verdict with every flag of this release. */
export interface CompleteVerdict extends Verdict {
  readonly extra: ExtraSignals & { readonly mail: string };
}
