import { isMonth, type Month } from './month.js';
import { OVERAGES, type Overage } from './overage.js';
import { UNMETERED_PER_DAY } from './unmetered-per-day.js';

/** The entitlements of a subscription. Plans are data: see config/plans.json. */
export interface Plan {
  readonly name: string;
  readonly checksPerMonth: number;
  readonly checksPerSecond: number;
  /** Rows of one bulk job. */
  readonly bulkRowsMax: number;
  /** The most megabytes that the files of all kept bulk jobs may take together. */
  readonly bulkKeptBytes: number;
  /** How long the address and IP of a check are kept. */
  readonly retentionDays: number;
  /** Price of a whole month, in minor units of the currency (cents). */
  readonly priceMonth: number;
  /** Price of a thousand checks over the quota, in minor units. */
  readonly pricePer1000Over: number;
  /** Prices and quotas from a later month on, oldest first; see pricesIn. */
  readonly priceChanges: readonly PriceChange[];
  /** At the quota: block, or continue up to the cap and bill it. */
  readonly overage: Overage;
  /** Where checks stop: the quota of a plan that blocks, the cap of one that bills. */
  readonly checksLimit: number;
  /** Entries on each of the two lists. */
  readonly listEntries: number;
  /** Keys that may ever be made, rolls included, because revoked ones stay known. */
  readonly keysEver: number;
  /** Checks with an Idempotency-Key whose answer is remembered, a day. */
  readonly rememberedPerDay: number;
  /** Verdicts of test keys, tries and evidence, a day: enough for tests and CI, too few to work with. */
  readonly unmeteredPerDay: number;
  /** Mailboxes, domains, shapes and IPs whose repetitions are counted, a week. */
  readonly trackedThings: number;
  /** ISO 4217; one for all plans, because an invoice has one. */
  readonly currency: string;
}

export interface PriceChange
  extends Pick<Plan, 'priceMonth' | 'pricePer1000Over' | 'checksPerMonth' | 'overage' | 'checksLimit'> {
  /** The first month with these prices and this quota. */
  readonly from: Month;
}

export type Plans = ReadonlyMap<string, Plan>;

/** The plan that a new account starts on. */
export const DEFAULT_PLAN = 'free';

/** Of a plan that does not say. */
const BULK_ROWS_MAX = 1_000;
const BULK_KEPT_MB = 2_000;

const PLAN_NAME = /^[a-z][a-z0-9_-]{0,31}$/;

/** Turns the parsed plans file into plans, or says in one sentence what is wrong with it. */
export function parsePlans(data: unknown): Plans {
  if (!isRecord(data)) throw new Error('the plans file must hold an object of plans by name');
  const plans = new Map<string, Plan>();
  for (const [name, fields] of Object.entries(data)) {
    if (!PLAN_NAME.test(name)) throw new Error(`"${name}" is not a plan name`);
    if (!isRecord(fields)) throw new Error(`plan "${name}" must be an object`);
    plans.set(name, {
      name,
      ...pricedBy(name, fields),
      checksPerSecond: wholeNumber(name, fields, 'checks_per_second', 1),
      bulkRowsMax: wholeNumber(name, { bulk_rows_max: BULK_ROWS_MAX, ...fields }, 'bulk_rows_max', 1),
      bulkKeptBytes:
        wholeNumber(name, { bulk_kept_mb: BULK_KEPT_MB, ...fields }, 'bulk_kept_mb', 1) * 1024 * 1024,
      retentionDays: wholeNumber(name, fields, 'retention_days', 1),
      priceChanges: priceChangesOf(name, fields),
      listEntries: wholeNumber(name, { list_entries: 10_000, ...fields }, 'list_entries', 0),
      keysEver: wholeNumber(name, { keys_ever: 1_000, ...fields }, 'keys_ever', 1),
      rememberedPerDay: wholeNumber(
        name,
        { remembered_per_day: 100_000, ...fields },
        'remembered_per_day',
        0,
      ),
      unmeteredPerDay: wholeNumber(
        name,
        { unmetered_per_day: UNMETERED_PER_DAY, ...fields },
        'unmetered_per_day',
        0,
      ),
      trackedThings: wholeNumber(name, { tracked_things: 100_000, ...fields }, 'tracked_things', 0),
      currency: currencyOf(name, fields),
    });
  }
  if (new Set([...plans.values()].map(({ currency }) => currency)).size > 1) {
    throw new Error('all plans must have one currency');
  }
  if (!plans.has(DEFAULT_PLAN)) throw new Error(`the plans file has no plan "${DEFAULT_PLAN}"`);
  return plans;
}

/**
 * The plans from which a change to this one is not an upgrade: it costs no more, or the same and includes no more. A
 * plan missing in the file ranks below all of them.
 */
export function plansNoSmallerThan(plans: Plans, name: string): string[] {
  const target = plans.get(name);
  return [...plans.values()].filter((plan) => target && !isLarger(target, plan)).map((plan) => plan.name);
}

/** Where the checks of an account stop: at the limit of its plan, or at the lower one that the customer set for what is billed. */
export const stopsAt = (
  { overage, checksPerMonth, checksLimit }: Pick<Plan, 'overage' | 'checksPerMonth' | 'checksLimit'>,
  ownCap: number | null,
): number =>
  overage === 'bill' && ownCap !== null
    ? Math.min(checksLimit, Math.max(checksPerMonth, ownCap))
    : checksLimit;

const isLarger = (a: Plan, b: Plan): boolean =>
  a.priceMonth === b.priceMonth ? a.checksPerMonth > b.checksPerMonth : a.priceMonth > b.priceMonth;

const DEFAULT_CURRENCY = 'EUR';

function currencyOf(plan: string, { currency = DEFAULT_CURRENCY }: Record<string, unknown>): string {
  if (typeof currency === 'string' && /^[A-Z]{3}$/.test(currency)) return currency;
  throw new Error(`plan "${plan}" needs a currency of three capital letters, such as EUR`);
}

/** Prices and quota, which a later month may change. */
function pricedBy(name: string, fields: Record<string, unknown>): Omit<PriceChange, 'from'> {
  const given = { price_month: 0, price_per_1000_over: 0, ...fields };
  const checksPerMonth = wholeNumber(name, given, 'checks_per_month', 0);
  const overage = overageOf(name, fields);
  return {
    priceMonth: wholeNumber(name, given, 'price_month', 0),
    pricePer1000Over: wholeNumber(name, given, 'price_per_1000_over', 0),
    checksPerMonth,
    overage,
    // A customer who pays per check still needs a limit: a loop in their code must not ruin them.
    checksLimit: overage === 'bill' ? wholeNumber(name, given, 'checks_cap', checksPerMonth) : checksPerMonth,
  };
}

const DATED = ['price_month', 'price_per_1000_over', 'checks_per_month', 'overage', 'checks_cap'];

/** `prices_from: {"2027-01": {price_month, checks_per_month, …}}`; a field that is left out stays as it was. */
function priceChangesOf(plan: string, fields: Record<string, unknown>): PriceChange[] {
  const { prices_from: given = {} } = fields;
  if (!isRecord(given)) throw new Error(`plan "${plan}" needs an object of prices by month for prices_from`);
  let before = fields;
  return Object.entries(given)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([from, prices]) => {
      if (!isMonth(from) || !isRecord(prices))
        throw new Error(`plan "${plan}" needs months such as "2027-01" with their prices for prices_from`);
      const unknown = Object.keys(prices).find((key) => !DATED.includes(key));
      if (unknown)
        throw new Error(
          `plan "${plan}" has "${unknown}" in prices_from, where only prices and quotas belong`,
        );
      before = { ...before, ...prices };
      return { from, ...pricedBy(plan, before) };
    });
}

function overageOf(plan: string, { overage = 'block' }: Record<string, unknown>): Overage {
  const known = OVERAGES.find((one) => one === overage);
  if (known) return known;
  throw new Error(`plan "${plan}" needs block or bill for overage`);
}

function wholeNumber(plan: string, fields: Record<string, unknown>, key: string, minimum: number): number {
  const value = fields[key];
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < minimum) {
    throw new Error(`plan "${plan}" needs a whole number of at least ${minimum} for ${key}`);
  }
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
