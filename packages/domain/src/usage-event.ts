/** Checks of one account in one hour, or the difference when more were counted later. */
export interface UsageEvent {
  readonly account_id: string;
  /** The customer's number elsewhere, or the account. */
  readonly customer: string;
  /** Start of the hour, UTC. */
  readonly hour: string;
  /** 1 for the hour itself, higher for differences. */
  readonly number: number;
  readonly checks: number;
}

const idOf = ({ account_id, hour, number }: UsageEvent): string =>
  `${account_id}-${hour.slice(0, 13)}-${number}`;

/** CloudEvents 1.0, as OpenMeter takes it; id and source let a receiver drop what it has. */
export const cloudEvent = (event: UsageEvent) => ({
  specversion: '1.0',
  id: idOf(event),
  source: 'verdict',
  type: 'verdict.checks',
  subject: event.customer,
  time: event.hour,
  datacontenttype: 'application/json',
  data: { account: event.account_id, checks: event.checks },
});

/** As Lago takes it; transaction_id lets it drop what it has. */
export const lagoEvent = (event: UsageEvent) => ({
  transaction_id: idOf(event),
  external_subscription_id: event.customer,
  code: 'verdict_checks',
  timestamp: Date.parse(event.hour) / 1000,
  properties: { account: event.account_id, checks: event.checks },
});
