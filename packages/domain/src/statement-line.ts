/** One line of a statement, as close_billing_month writes it. Amounts in minor units. */
export type StatementLine =
  | {
      readonly kind: 'plan';
      readonly plan: string;
      readonly from: string;
      readonly to: string;
      readonly days: number;
      readonly month_days: number;
      readonly price_month: number;
      readonly amount: number;
    }
  | {
      readonly kind: 'overage';
      readonly plan: string;
      readonly checks: number;
      readonly price_per_1000: number;
      readonly amount: number;
    }
  | {
      readonly kind: 'adjustment' | 'credit';
      readonly id?: number;
      readonly reason: string;
      readonly amount: number;
    };

/** A plan that was in force, with its days: the first and the last, both included. */
export interface PlanDays {
  readonly plan: string;
  readonly from: string;
  readonly to: string;
  readonly days: number;
}
