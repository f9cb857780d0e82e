import { neverListed } from '@verdict/datasets/never-disposable.js';
import { checkPart } from '@verdict/datasets/sources/check-part.js';
import type { ListedSource } from '@verdict/datasets/sources/source.js';

export interface Step {
  readonly names: ReadonlySet<string>;
  readonly namesBefore: number;
  /** How long the updater has been left with what it had. */
  readonly waitedMs: number;
}

/** Whether the updater would leave a source as it was. */
export type Guard = (step: Step) => boolean;

const SMALL_STEP = 0.01;
/** A sudden change raises an alert; by then the operator has looked and accepted it. */
const OPERATOR_MS = 7 * 86_400_000;

export function guardSource(source: ListedSource, relays: ReadonlySet<string>): Guard {
  const poison = neverListed.filter((name) => !relays.has(name) && !source.tolerates?.includes(name));
  return ({ names, namesBefore, waitedMs }) => {
    // The guard of the product reads every name: too slow for each day of years, and needless where hardly anything changed.
    const small = Math.abs(names.size - namesBefore) <= namesBefore * SMALL_STEP;
    if (small && !poison.some((name) => names.has(name))) return false;
    const refusal = checkPart(
      source,
      { names: [...names], operators: new Map() },
      {
        namesBefore: namesBefore === 0 ? undefined : namesBefore,
        relays,
        swingAccepted: waitedMs >= OPERATOR_MS,
      },
    );
    return refusal !== undefined;
  };
}
