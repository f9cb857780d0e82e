/** A bill written from docs/billing.md alone. It shares no code with the product. */
interface DocPlan {
  readonly checks_per_month: number;
  readonly price_month?: number;
  readonly overage?: string;
  readonly price_per_1000_over?: number;
}
export type DocPlans = Readonly<Record<string, DocPlan>>;

export interface DocBill {
  readonly plan: string;
  readonly entitled: number;
  readonly total: number;
}

/** Half away from zero; nothing here is negative. */
const share = (amount: number, part: number, whole: number) =>
  Math.floor((2 * amount * part + whole) / (2 * whole));
const DAY_MS = 86_400_000;

/**
 * The bill of a month without tax, terms and corrections. A day belongs to the plan that was active at its end; changes
 * are the plans with the moment they became active, oldest first.
 */
export function billByTheDocs(
  plans: DocPlans,
  { startMs, endMs }: { startMs: number; endMs: number },
  changes: readonly { readonly plan: string; readonly ms: number }[],
  used: number,
): DocBill {
  const days = new Map<string, number>();
  for (let dayEnd = startMs + DAY_MS; dayEnd <= endMs; dayEnd += DAY_MS) {
    const plan = changes.findLast(({ ms }) => ms < dayEnd)?.plan;
    if (plan) days.set(plan, (days.get(plan) ?? 0) + 1);
  }
  const monthDays = (endMs - startMs) / DAY_MS;
  const active = [...days].map(([name, count]) => ({ name, count, ...(plans[name] as DocPlan) }));
  const [largest] = active.toSorted((a, b) => b.checks_per_month - a.checks_per_month);
  if (!largest) return { plan: 'none', entitled: 0, total: 0 };
  const fees = active.map(({ price_month = 0, count }) => share(price_month, count, monthDays));
  const fee = fees.reduce((sum, one) => sum + one, 0);
  const included = active.map(({ price_month = 0, checks_per_month, count }) =>
    price_month > 0 ? share(checks_per_month, count, monthDays) : checks_per_month,
  );
  const quota = largest.checks_per_month;
  const entitled = Math.min(
    included.reduce((sum, one) => sum + one, 0),
    quota,
  );
  const above = Math.max(Math.min(used, quota) - entitled, 0);
  const left = Math.max((largest.price_month ?? 0) - fee, 0);
  const rest = above > 0 ? share(left, above, quota - entitled) : 0;
  const over = largest.overage === 'bill' ? Math.max(used - quota, 0) : 0;
  return {
    plan: largest.name,
    entitled,
    total: fee + rest + share(over, largest.price_per_1000_over ?? 0, 1_000),
  };
}
