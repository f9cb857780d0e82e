import { roundedShare } from './rounded-share.js';

export interface Credited {
  readonly subtotal: number;
  readonly tax: number;
}

/**
 * What a credit note over `amount` before tax takes back of what is left of an invoice; without an amount, all of it. The
 * last credit takes the tax that is left, because taxes rounded one by one do not add up to the invoice's. Null when less is
 * left.
 */
export function creditAmounts(left: Credited, taxRate: number, amount: number | null): Credited | null {
  const subtotal = amount ?? left.subtotal;
  if (subtotal <= 0 || subtotal > left.subtotal) return null;
  if (subtotal === left.subtotal) return left;
  return { subtotal, tax: Math.min(roundedShare(subtotal, taxRate, 10_000), left.tax) };
}
