interface MonthOfChecks {
  /** `cus_…` */
  readonly customer: string;
  readonly month: string;
  /** Stripe bills by this moment; it must lie in the month. */
  readonly at: Date;
  readonly value: number;
}

/**
 * One month of one customer as the body of POST /v1/billing/meter_events. The identifier is the same every time, so Stripe
 * refuses the second of two uploads instead of billing twice.
 */
export const stripeMeterEvent = ({ customer, month, at, value }: MonthOfChecks) => ({
  event_name: 'verdict_checks',
  identifier: `verdict-${month}-${customer}`,
  timestamp: Math.floor(at.getTime() / 1000),
  payload: { stripe_customer_id: customer, value: String(value) },
});
