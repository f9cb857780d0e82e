export const CORRECTION_KINDS = ['adjustment', 'credit'] as const;

/** One line of a statement, as priceMonth makes it. Amounts in minor units. */
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
      /** Checks beyond the days of the plans, as a share of the largest plan's fee that its days did not cover. */
      readonly kind: 'plan_checks';
      readonly plan: string;
      /** The month of late checks, YYYY-MM; none for checks of this month. */
      readonly month?: string;
      readonly checks: number;
      readonly of_checks: number;
      readonly price: number;
      readonly amount: number;
    }
  | {
      readonly kind: 'overage';
      readonly plan: string;
      /** The month of late checks, YYYY-MM; none for checks of this month. */
      readonly month?: string;
      readonly checks: number;
      readonly price_per_1000: number;
      readonly amount: number;
    }
  | {
      readonly kind: 'discount';
      /** The month of late checks, YYYY-MM; none for this month. */
      readonly month?: string;
      /** Hundredths of a percent. */
      readonly percent: number;
      readonly amount: number;
    }
  | {
      /** The amount that a statement in the customer's favour carries forward. */
      readonly kind: 'carried_forward';
      readonly amount: number;
    }
  | {
      readonly kind: 'brought_forward';
      /** The statement that left it. */
      readonly month: string;
      readonly amount: number;
    }
  | {
      readonly kind: (typeof CORRECTION_KINDS)[number];
      readonly id?: number;
      readonly reason: string;
      readonly amount: number;
    };

/** A plan that was active, with its first and last day, both included. */
export interface PlanDays {
  readonly plan: string;
  readonly from: string;
  readonly to: string;
  readonly days: number;
}
