import { type FactorCode, weights } from './weights.js';

/** Something true about an address that costs points. Made once per domain or once for all, read on every check. */
export interface Finding {
  readonly code: FactorCode;
  readonly hard: boolean;
  readonly points: number;
  readonly reason: string;
  /** The factor's JSON around its points: most findings never change, so they are written once. */
  readonly jsonBefore: string;
  readonly jsonAfter: string;
}

export function createFinding(code: FactorCode, reason: string, points = weights[code].points): Finding {
  return {
    code,
    hard: weights[code].kind === 'hard',
    points,
    reason,
    jsonBefore: `{"code":"${code}","points":`,
    jsonAfter: `,"reason":${JSON.stringify(reason)}}`,
  };
}
