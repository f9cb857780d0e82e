import { roundedShare } from './rounded-share.js';

export interface Credited {
  readonly subtotal: number;
  readonly tax: number;
}

/**
 * Splits a credit of `amount` before tax on the rest of an invoice; without an amount, it credits all of the rest. The
 * last credit takes the tax that is left, because taxes rounded one by one do not add up to the invoice's. Null when less is
 * left.
 */
export function creditAmounts(left: Credited, taxRate: number, amount: number | null): Credited | null {
  const subtotal = amount ?? left.subtotal;
  if (subtotal <= 0 || subtotal > left.subtotal) return null;
  if (subtotal === left.subtotal) return left;
  return { subtotal, tax: Math.min(roundedShare(subtotal, taxRate, 10_000), left.tax) };
}
