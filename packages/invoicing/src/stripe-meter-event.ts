interface MonthOfChecks {
  /** `cus_…` */
  readonly customer: string;
  readonly account: string;
  readonly month: string;
  /** Stripe bills by this time; it must be in the month. */
  readonly at: Date;
  readonly value: number;
}

/**
 * All checks of an account in a month as the body of POST /v1/billing/meter_events. The identifier names the account, because
 * accounts may share a customer; Stripe drops a repeated identifier for a day only.
 */
export const stripeMeterEvent = ({ customer, account, month, at, value }: MonthOfChecks) => ({
  event_name: 'verdict_checks',
  identifier: `verdict-${month}-${account}`,
  timestamp: Math.floor(at.getTime() / 1000),
  payload: { stripe_customer_id: customer, value: String(value) },
});
