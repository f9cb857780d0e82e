import { availableParallelism } from 'node:os';
import type { Case } from './case.js';
import { type Driver, runCase } from './run-case.js';

/** A client's deviations by the name of the case. A case that it passes has an empty list. */
export type Findings = ReadonlyMap<string, readonly string[]>;

/** Runs every case, some at once: most of a case is waiting. */
export async function runSuite(
  cases: readonly Case[],
  drive: Driver,
  atOnce: number = 2 * availableParallelism(),
): Promise<Findings> {
  const findings = new Map<string, readonly string[]>();
  const waiting = [...cases];
  const work = async () => {
    for (let one = waiting.shift(); one; one = waiting.shift())
      findings.set(one.name, await runCase(one, drive));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return findings;
}
