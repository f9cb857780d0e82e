/**
 * `amount x part / whole` to the nearest whole number, halves away from zero. Computed in whole numbers, because a float
 * cannot hold every amount.
 */
export function roundedShare(amount: number, part: number, whole: number): number {
  const product = BigInt(amount) * BigInt(part);
  const size = product < 0n ? -product : product;
  const rounded = Number((2n * size + BigInt(whole)) / (2n * BigInt(whole)));
  return product < 0n && rounded !== 0 ? -rounded : rounded;
}
