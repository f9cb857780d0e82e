import type { Grouping } from '@verdict/domain/check-groups.js';

/** The filters of the checks as they stand in the address of the page. */
export interface LogsSearch {
  readonly q?: string;
  readonly decision?: string;
  readonly key?: string;
  /** Log ids separated by commas: the checks of a link. */
  readonly ids?: string;
  /** Code of a reason. */
  readonly reason?: string;
  /** The own list that decided. */
  readonly list?: 'allow' | 'block';
  /** Name of the rule that decided. */
  readonly rule?: string;
  /** The label that came with the check. */
  readonly tag?: string;
  /** An example of what the domain looks like. */
  readonly shape?: string;
  /** Operator of the mail servers. */
  readonly mail?: string;
  readonly country?: string;
  readonly min?: string;
  readonly max?: string;
  /** An outcome, or none. */
  readonly outcome?: string;
  /** Checks that a second look decided differently. */
  readonly revised?: 'yes';
  readonly mode?: 'test';
  readonly range?: '1h' | '24h' | '7d' | '30d';
  readonly from?: string;
  readonly to?: string;
  /** Shows groups in place of single checks. */
  readonly by?: Grouping;
}
