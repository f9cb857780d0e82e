/** The filters of the checks as they stand in the address of the page. */
export interface LogsSearch {
  readonly q?: string;
  readonly decision?: string;
  readonly key?: string;
  /** Log ids separated by commas: the checks of a link. */
  readonly ids?: string;
  /** Name of the rule that decided. */
  readonly rule?: string;
  /** An outcome, or none. */
  readonly outcome?: string;
  readonly mode?: 'test';
  readonly range?: '1h' | '24h' | '7d' | '30d';
  readonly from?: string;
  readonly to?: string;
}
