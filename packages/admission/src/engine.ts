import { ENGINES } from './engines.js';
import type { judge } from './judge.js';

/**
 * The rules' engine of this release. Jobs and replay records carry its number, so that no other release judges their checks
 * by its own rules; test/architecture/engine.test.ts pins the engine's text to it.
 */
export const ENGINE: number = Math.max(...ENGINES.keys());
/** Jobs and records that name no engine were judged by this one. */
const FIRST = 1;

export type Judge = typeof judge;

/** Judges every check that is new, and every question about what one would get. */
export const judgeNew = ENGINES.get(ENGINE) as Judge;

/** How jobs and records name the engine that judges their checks: the first goes without a name. */
export const namedEngine: { readonly engine?: number } = ENGINE === FIRST ? {} : { engine: ENGINE };

/** The function that judged these checks; undefined where this release does not have it. */
export const engineOf = (number: number = FIRST): Judge | undefined => ENGINES.get(number);

/** The same for a check of a job. Without rules the job says all of the decision, and any engine only repeats it. */
export const engineOfCheck = (number: number | undefined, policies: string): Judge | undefined =>
  engineOf(number) ?? (policies === '' ? judgeNew : undefined);
