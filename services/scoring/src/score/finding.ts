import type { Signal } from '../signals/signal.js';

/** A signal that applies to an address, with its sentence. */
export interface Finding {
  readonly signal: Signal;
  readonly reason: string;
}
