/** What a subscription entitles to. Plans are data: see config/plans.json. */
export interface Plan {
  readonly name: string;
  readonly checksPerMonth: number;
  readonly checksPerSecond: number;
  /** How long the address and IP of a check are kept. */
  readonly retentionDays: number;
}

export type Plans = ReadonlyMap<string, Plan>;

/** The plan that a new account starts on. */
export const DEFAULT_PLAN = 'free';

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
      checksPerMonth: wholeNumber(name, fields, 'checks_per_month', 0),
      checksPerSecond: wholeNumber(name, fields, 'checks_per_second', 1),
      retentionDays: wholeNumber(name, fields, 'retention_days', 1),
    });
  }
  if (!plans.has(DEFAULT_PLAN)) throw new Error(`the plans file has no plan "${DEFAULT_PLAN}"`);
  return plans;
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
