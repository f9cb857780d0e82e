/** The smallest plan that takes so many rows in a file and more than the present one; undefined when none does. */
export function planForRows<P extends { readonly bulk_rows_max: number; readonly current: boolean }>(
  plans: readonly P[],
  rows: number,
): P | undefined {
  const present = plans.find(({ current }) => current)?.bulk_rows_max ?? 0;
  return plans
    .filter(({ bulk_rows_max: max }) => max > present && max >= rows)
    .sort((a, b) => a.bulk_rows_max - b.bulk_rows_max)[0];
}
