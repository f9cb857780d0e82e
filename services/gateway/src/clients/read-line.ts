import type { ScoreLine } from '@verdict/contracts/scoring-api.js';
import { type Judgement, judge } from '../check/judge.js';

/** One line of the stream, without its position, and what follows from it alone. */
export interface ReadVerdict {
  readonly line: Omit<ScoreLine, 'i'>;
  readonly judgement: Judgement;
}

export interface ReadLine {
  readonly position: number;
  readonly verdict: ReadVerdict;
}

const START = '{"i":';
const KNOWN_MAX = 2_000;

/**
 * Reads lines such as `{"i":3,"risk_score":…}`. Apart from its position a line is one of few texts (every plain address
 * at gmail.com has the same), so a text is parsed and judged once and shared; what is shared is never changed.
 */
export function createLineReader(): (text: string, datasets: string) => ReadLine {
  const known = new Map<string, ReadVerdict>();

  function read(rest: string, datasets: string): ReadVerdict {
    const line = JSON.parse(`{${rest}`) as Omit<ScoreLine, 'i'>;
    const verdict = { line, judgement: judge(line, datasets) };
    // Typing suggestions name addresses and so never repeat: starting over is simpler than telling them apart.
    if (known.size >= KNOWN_MAX) known.clear();
    known.set(rest, verdict);
    return verdict;
  }

  return (text, datasets) => {
    const comma = text.indexOf(',');
    const rest = text.slice(comma + 1);
    const found = known.get(rest);
    // Scored with other datasets it is another verdict, even when it reads the same.
    const verdict = found?.judgement.verdict.datasets === datasets ? found : read(rest, datasets);
    return { position: Number(text.slice(START.length, comma)), verdict };
  };
}
