import type { Decision } from '@verdict/domain/decision.js';
import { entries, int, list, type RowOf, record, text } from '../database/columns.js';
import { Prisma } from '../generated/client.js';

/** The counts of a backtest so far, as they are stored. */
export const BacktestResult = {
  /** By "<decision> <new decision>". */
  cells: entries(record({ checks: int, samples: list(text) })),
  /** Checks that each rule matched, by position. */
  hits: list(int),
  /** Checks whose network was not stored and is that of the IP data of today. */
  looked_up: int,
  /** Judged checks that came with counts of repetitions, and with the network of their IP. */
  with_counts: int,
  with_network: int,
  /** Checks that were not judged again, by the reason. */
  left_out: record({ erased: int, expired: int, earlier_release: int, no_network: int, no_mx: int }),
};
export type BacktestResult = RowOf<typeof BacktestResult>;

export const noResult = (): BacktestResult => ({
  cells: {},
  hits: [],
  looked_up: 0,
  with_counts: 0,
  with_network: 0,
  left_out: { erased: 0, expired: 0, earlier_release: 0, no_network: 0, no_mx: 0 },
});

export const cellOf = (before: Decision, after: Decision): string => `${before} ${after}`;

/** Results that the release before has stored say nothing about counts, networks and mail servers. */
export const RESULT = Prisma.sql`
  jsonb_build_object('looked_up', 0, 'with_counts', 0, 'with_network', 0) || result
    || jsonb_build_object('left_out', '{"no_mx": 0}'::jsonb || (result -> 'left_out')) AS result`;
