/** At the quota checks stop, or continue up to the cap and are billed. */
export const OVERAGES = ['block', 'bill'] as const;
export type Overage = (typeof OVERAGES)[number];
