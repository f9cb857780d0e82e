import type { Subscription } from '../../api/billing.ts';
import { formatCount, formatLongDay, formatMoney } from '../../ui/format/format.ts';
import { BILLING_TEXTS as TEXTS } from './texts.ts';

type Plan = Subscription['plans'][number];

export const priceOf = ({ price_month: price, currency }: Plan): string =>
  price === 0 ? 'free' : formatMoney(price, currency);

/** Says what happens beyond the plan's checks. */
export const overQuota = ({
  overage,
  price_per_1000_over: price,
  currency,
  checks_cap: cap,
}: Plan): string =>
  overage === 'block' ? 'refused' : `${formatMoney(price, currency)} per 1,000, up to ${formatCount(cap)}`;

/** Says from when a plan has other prices; null while none are known. */
export function priceToCome({ name, next_price: next, currency, ...plan }: Plan): string | null {
  if (!next) return null;
  const over =
    plan.overage === 'bill' && next.price_per_1000_over !== plan.price_per_1000_over
      ? formatMoney(next.price_per_1000_over, currency)
      : null;
  return TEXTS.priceToCome(
    name,
    formatLongDay(`${next.from}-01T00:00:00Z`),
    formatMoney(next.price_month, currency),
    over,
  );
}
