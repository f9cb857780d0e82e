/**
 * The sources that call a domain disposable, as bits. Curated and crawled evidence suffices alone; the two aggregate
 * families copy each other's neighbours and list real businesses, so one of them is weaker.
 */
export const CURATED = 1;
export const CRAWLED = 2;
export const AGGREGATE = 4;
export const MAILCHECKER = 8;

/** How far a source is trusted, by the word that the table of sources uses. */
export const TIER_BITS = {
  curated: CURATED,
  crawled: CRAWLED,
  aggregate: AGGREGATE,
  mailchecker: MAILCHECKER,
} as const;
export type Tier = keyof typeof TIER_BITS;
export const TIERS = Object.keys(TIER_BITS) as Tier[];

export function isConfirmed(evidence: number): boolean {
  return isVerified(evidence) || ((evidence & AGGREGATE) !== 0 && (evidence & MAILCHECKER) !== 0);
}

/** Seen by people or by a crawler, not only copied from list to list. */
export function isVerified(evidence: number): boolean {
  return (evidence & (CURATED | CRAWLED)) !== 0;
}
