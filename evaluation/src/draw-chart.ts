import type { Share } from '@verdict/domain/share-of.js';
import type { CutResult } from './evaluate-new-names.js';

const BAR_WIDTH = 22;
const GROUP_GAP = 34;
const LEFT = 46;
const TOP = 46;
const HEIGHT = 200;

/** Share of new names at challenge or above for each cut and set, with 95 % intervals, as one small picture. */
export function drawChart(cuts: readonly CutResult[]): string {
  const groups = cuts.flatMap(({ day, sets }) =>
    sets.map((set) => ({
      label: `${day.slice(0, 7)} ${set.added_by}`,
      bars: [
        { colour: '#9aa5b1', share: set.known_to_a_list_on_the_day },
        { colour: '#3e7cb1', share: set.challenge },
        { colour: '#1f4e79', share: set.challenge_with_a_web_ranking },
      ],
    })),
  );
  const groupWidth = 3 * BAR_WIDTH + GROUP_GAP;
  const width = LEFT + groups.length * groupWidth + 10;
  const y = (value: number) => TOP + HEIGHT * (1 - value);
  const lines = [0, 0.2, 0.4, 0.6, 0.8, 1].map(
    (value) =>
      `<line x1="${LEFT}" x2="${width - 10}" y1="${y(value)}" y2="${y(value)}" stroke="${value === 0.6 ? '#b23a48' : '#e1e5ea'}"/>` +
      `<text x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${value * 100} %</text>`,
  );
  const drawn = groups.map(({ label, bars }, index) => {
    const x = LEFT + index * groupWidth + GROUP_GAP / 2;
    const text = `<text x="${x + 1.5 * BAR_WIDTH}" y="${TOP + HEIGHT + 16}" text-anchor="middle">${label}</text>`;
    return bars.map((bar, place) => drawBar(x + place * BAR_WIDTH, bar.colour, bar.share, y)).join('') + text;
  });
  const legend = ['a list knew it', 'challenge or above', 'the same with a web ranking'].map(
    (text, index) =>
      `<rect x="${LEFT + index * 170}" y="12" width="10" height="10" fill="${['#9aa5b1', '#3e7cb1', '#1f4e79'][index]}"/>` +
      `<text x="${LEFT + 16 + index * 170}" y="21">${text}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${TOP + HEIGHT + 30}" font-family="sans-serif" font-size="10" fill="#333"><title>Share of new throw-away names at challenge or above, by cut</title><rect width="100%" height="100%" fill="#fff"/>${[...legend, ...lines, ...drawn].join('')}</svg>\n`;
}

function drawBar(
  x: number,
  colour: string,
  { share, low, high }: Share,
  y: (value: number) => number,
): string {
  const middle = x + BAR_WIDTH / 2 - 1;
  return (
    `<rect x="${x}" y="${y(share).toFixed(1)}" width="${BAR_WIDTH - 2}" height="${(y(0) - y(share)).toFixed(1)}" fill="${colour}"/>` +
    `<line x1="${middle}" x2="${middle}" y1="${y(low).toFixed(1)}" y2="${y(high).toFixed(1)}" stroke="#000"/>`
  );
}
