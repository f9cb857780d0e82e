/** The short forms are part of every test run; `npm run fuzz`, `npm run attacks` and SECURITY.md set these for the long ones. */
const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);

export const SECURITY = {
  /** Connections that say little or nothing, for each kind of them. */
  idleConnections: number('IDLE_CONNECTIONS', 800),
  /** Runs of each attack, of which the median counts. */
  attackRounds: number('ATTACK_ROUNDS', 1),
  /** File for the figures of `npm run attacks`. */
  attackFigures: process.env.ATTACK_FIGURES,
  idleIsLong: process.env.IDLE_CONNECTIONS !== undefined,
  fuzz: {
    seed: number('FUZZ_SEED', 20_261_115),
    requests: number('FUZZ_REQUESTS', 3_000),
    clients: number('FUZZ_CLIENTS', 16),
    isLong: process.env.FUZZ_REQUESTS !== undefined,
  },
};
