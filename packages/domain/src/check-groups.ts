/** Properties that checks of one group share. */
export const GROUP_KINDS = [
  'domain',
  'shape',
  'mail_host',
  'network',
  'as',
  'mailbox',
  'reason',
  'rule',
] as const;
export type GroupKind = (typeof GROUP_KINDS)[number];

/** Groups may be hours too. */
export const GROUPINGS = ['hour', ...GROUP_KINDS] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Groups of one answer. */
export const GROUPS_MAX = 100;

const HOUR_MS = 3_600_000;

/** Counts a period by hour, or by day where it has more hours than groups. */
export const stepOfPeriod = (from: string, to: string): 'hour' | 'day' =>
  Date.parse(to) - Date.parse(from) > GROUPS_MAX * HOUR_MS ? 'day' : 'hour';

/** The kinds in which an attack repeats itself. */
export const BURST_KINDS = [
  'network',
  'mailbox',
  'domain',
  'mail_host',
  'shape',
  'as',
] as const satisfies GroupKind[];
export type BurstKind = (typeof BURST_KINDS)[number];
