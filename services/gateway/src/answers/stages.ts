/** When each stage of a request's checks ended, by `performance.now()`; NaN for a stage that it never reached. */
export interface Stages {
  readonly checks: number;
  readonly parsedAtMs: number;
  lookedAtMs: number;
  scoredAtMs: number;
  steppedAtMs: number;
}

/** Begins where the body has been parsed. */
export const startStages = (checks: number): Stages => ({
  checks,
  parsedAtMs: performance.now(),
  lookedAtMs: Number.NaN,
  scoredAtMs: Number.NaN,
  steppedAtMs: Number.NaN,
});

export interface Stage {
  readonly name: 'parse' | 'look' | 'scoring' | 'step' | 'send';
  readonly beganAtMs: number;
  readonly endedAtMs: number;
}

/** The stages one after the other; a request that failed ends with the stage that it failed in. */
export function stagesOf(stages: Stages | undefined, beganAtMs: number, endedAtMs: number): Stage[] {
  if (!stages) return [];
  const ends = [
    ['parse', stages.parsedAtMs],
    ['look', stages.lookedAtMs],
    ['scoring', stages.scoredAtMs],
    ['step', stages.steppedAtMs],
    ['send', endedAtMs],
  ] as const;
  const found: Stage[] = [];
  let at = beganAtMs;
  for (const [name, reachedAtMs] of ends) {
    const isLast = Number.isNaN(reachedAtMs);
    const end = isLast ? endedAtMs : reachedAtMs;
    found.push({ name, beganAtMs: at, endedAtMs: end });
    if (isLast) break;
    at = end;
  }
  return found;
}
