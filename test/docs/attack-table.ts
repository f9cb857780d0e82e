import { attackResults } from './bench-results.js';
import { markdownTable } from './markdown-table.js';

/** The most that a neighbour may notice of an attack: twice the time that it takes without one. */
const RATIO_MAX = 2;

/** The times of a neighbour's acts beside each attack, to those without one. */
export function attackTable(): string {
  const results = attackResults();
  if (!results) return '\nNot measured yet.\n';
  const { measuredOn, machine, rounds, quietMs, ratios } = results;
  const acts = Object.keys(quietMs);
  const shown = (ratio: number) => (ratio > RATIO_MAX ? `**${ratio.toFixed(1)}**` : ratio.toFixed(1));
  return [
    `\nMeasured on ${measuredOn}: ${machine}; medians of ${rounds} rounds, to those of the quiet rounds nearest to them; above ${RATIO_MAX} in bold.\n`,
    markdownTable(
      ['beside', ...acts],
      [
        ['nothing, ms', ...acts.map((act) => Math.round(quietMs[act] ?? 0))],
        ...Object.entries(ratios).map(([attack, by]) => [
          attack,
          ...acts.map((act) => (by[act] === undefined ? '' : shown(by[act]))),
        ]),
      ],
    ),
  ].join('');
}
