import t from 'tap';
import { shareOf } from '../src/share-of.js';

/** Score intervals of four examples by Newcombe (Statistics in Medicine 17, 1998, table I, method 3). */
const PUBLISHED = [
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
] as const;

t.test('intervals are those that the literature has for the same counts', async (t) => {
  for (const [part, whole, low, high] of PUBLISHED)
    t.match(shareOf(part, whole), { of: whole, low, high }, `${part} of ${whole}`);
});

t.test('an end of every interval is where the score test just accepts the share', async (t) => {
  const Z = 1.96;
  /** The share above or below `seen` that is Z standard errors away, by halving. */
  const endOf = (seen: number, whole: number, far: 0 | 1): number => {
    let [near, distant] = [seen, far as number];
    for (let n = 0; n < 60; n++) {
      const tried = (near + distant) / 2;
      const isAccepted = Math.abs(seen - tried) <= Z * Math.sqrt((tried * (1 - tried)) / whole);
      if (isAccepted) near = tried;
      else distant = tried;
    }
    return Number(near.toFixed(4));
  };
  let differences = 0;
  for (const whole of [1, 2, 7, 30, 41, 1_000])
    for (let part = 0; part <= whole; part += Math.ceil(whole / 20)) {
      const { share, low, high } = shareOf(part, whole);
      const expected = [endOf(part / whole, whole, 0), endOf(part / whole, whole, 1)];
      const isEqual =
        Math.abs(low - Number(expected[0])) < 2e-4 && Math.abs(high - Number(expected[1])) < 2e-4;
      if (!isEqual || low > share || share > high) differences++;
    }
  t.equal(differences, 0);
});

t.test('of nothing there is no share', async (t) => {
  t.ok(Number.isNaN(shareOf(0, 0).share));
});
