export interface Share {
  readonly of: number;
  readonly share: number;
  /** 95 %, Wilson. */
  readonly low: number;
  readonly high: number;
}

const Z = 1.96;

/** A share with its interval; without a whole there is none, and every figure is NaN. */
export function shareOf(part: number, whole: number): Share {
  if (whole === 0) return { of: 0, share: Number.NaN, low: Number.NaN, high: Number.NaN };
  const p = part / whole;
  const spread = Z * Math.sqrt((p * (1 - p)) / whole + (Z * Z) / (4 * whole * whole));
  const centre = p + (Z * Z) / (2 * whole);
  const scale = 1 + (Z * Z) / whole;
  return {
    of: whole,
    share: round(p),
    low: round(Math.max(0, (centre - spread) / scale)),
    high: round(Math.min(1, (centre + spread) / scale)),
  };
}

function round(value: number): number {
  return Number(value.toFixed(4));
}
