import { judge } from './judge.js';

/**
 * The rules' engine of this release. Jobs and replay records carry its number, so that no other release judges their checks
 * by its own rules; test/architecture/engine.test.ts pins the engine's text to it.
 */
export const ENGINE: number = 1;
/** Jobs and records that name no engine were judged by this one. */
const FIRST = 1;

export type Judge = typeof judge;

const ENGINES: ReadonlyMap<number, Judge> = new Map([[ENGINE, judge]]);

/** How jobs and records name the engine that judges their checks: the first goes without a name. */
export const namedEngine: { readonly engine?: number } = ENGINE === FIRST ? {} : { engine: ENGINE };

/** The function that judged these checks; undefined where this release does not have it. */
export const engineOf = (number: number = FIRST): Judge | undefined => ENGINES.get(number);
