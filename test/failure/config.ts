/** The short form is part of every test run; `npm run chaos` sets these for the long one. */
const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);

export const CHAOS = {
  seed: number('CHAOS_SEED', 20_261_115),
  /** So many seeds, counting up from that one. */
  seeds: number('CHAOS_SEEDS', 1),
  kills: number('CHAOS_KILLS', 3),
  /** Of those that leave every process alive. */
  disturbances: number('CHAOS_DISTURBANCES', 6),
  clients: number('CHAOS_CLIENTS', 6),
  /** How long Postgres is away. */
  postgresAwayMs: number('CHAOS_POSTGRES_AWAY_MS', 2_000),
  /** How long workers are without Postgres in the drill, and checks a second meanwhile; the short form waits for checks. */
  outageMinutes: number('CHAOS_OUTAGE_MINUTES', 0),
  outageRate: number('CHAOS_OUTAGE_RATE', 120),
  drainMs: number('CHAOS_DRAIN_MS', 240_000),
  powerLosses: number('CHAOS_POWER_LOSSES', 1),
  /** Rows of the bulk job that everything is killed under. */
  bulkRows: number('CHAOS_BULK_ROWS', 5_000),
  /** How long the walk at random takes, at least. */
  walkMinutes: number('CHAOS_WALK_MINUTES', 0),
  isLong: process.env.CHAOS_LONG === '1',
};
