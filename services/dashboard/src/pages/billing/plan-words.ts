import type { Subscription } from '../../api/billing.ts';
import { formatCount, formatMoney } from '../../ui/format/format.ts';
import { BILLING_TEXTS as TEXTS } from './texts.ts';

type Plan = Subscription['plans'][number];

export const priceOf = ({ price_month: price, currency }: Plan): string =>
  price === 0 ? TEXTS.free : formatMoney(price, currency);

/** Says what happens beyond the plan's checks. */
export const overQuota = ({
  overage,
  price_per_1000_over: price,
  currency,
  checks_cap: cap,
}: Plan): string =>
  overage === 'block' ? TEXTS.stops : TEXTS.billed(formatMoney(price, currency), formatCount(cap));
