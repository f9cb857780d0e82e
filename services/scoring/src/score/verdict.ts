import type { Finding } from './finding.js';

/** A finding with the points that it really adds to this score. */
export interface CountedFinding {
  readonly finding: Finding;
  readonly points: number;
}

/** The answer for one address, before it becomes a line of the stream. */
export interface Verdict {
  readonly riskScore: number;
  readonly factors: readonly CountedFinding[];
  readonly disposableEmail: boolean;
  readonly mxValid: boolean;
  readonly freeProvider: boolean;
  readonly roleAccount: boolean;
  readonly noReply: boolean;
  readonly relay: boolean;
  readonly mxUnknown: boolean;
  readonly plusTag: boolean;
  readonly suggestion: string | null;
}
