import t from 'tap';
import { compareListings, type Listings } from '../src/changes/compare-listings.js';

const SOURCES = [
  { name: 'a', tier: 'curated', as_of: '2026-01-01' },
  { name: 'b', tier: 'aggregate', as_of: '2026-01-01' },
] as const;

const listings = (text: string, sources: Listings['sources'] = [...SOURCES]): Listings => ({
  bytes: Buffer.from(text),
  sources,
});

async function changes(before: Listings, after: Listings) {
  const found = [];
  for await (const change of compareListings(before, after)) found.push(change);
  return found;
}

t.test('changes between two releases are those of sources by name, whatever their bits', async (t) => {
  const before = listings('a.com 1\nb.com 2\nc.com 3\nd.com 2 7\n');
  const after = listings('b.com 1\nc.com 2\nd.com 1 9\ne.com 3\n', [SOURCES[1], SOURCES[0]]);
  t.strictSame(await changes(before, after), [
    { name: 'a.com', listed: [], unlisted: ['a'], changesClass: true },
    { name: 'c.com', listed: [], unlisted: ['b'], changesClass: false },
    { name: 'e.com', listed: ['b', 'a'], unlisted: [], changesClass: true },
  ]);
  t.strictSame(await changes(before, before), []);
  t.strictSame((await changes(listings(''), before)).length, 4);
  t.strictSame((await changes(before, listings(''))).length, 4);
});

t.test('a second source makes a single listing certain, which changes the score', async (t) => {
  const sources = [...SOURCES, { name: 'c', tier: 'mailchecker', as_of: '2026-01-01' } as const];
  t.strictSame(await changes(listings('x.com 2\n', sources), listings('x.com 6\n', sources)), [
    { name: 'x.com', listed: ['c'], unlisted: [], changesClass: true },
  ]);
});

t.test('names that are not sorted are refused', async (t) => {
  await t.rejects(changes(listings('b.com 1\na.com 1\n'), listings('')), /not sorted/);
});
