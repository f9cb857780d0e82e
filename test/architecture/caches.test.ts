import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { CACHES } from './caches.js';
import { ROOT } from './source-files.js';

/** Services and packages that hold more than one account; the dashboard and the clients hold one. */
const LOOKED_AT = ['services', 'packages']
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}/src`))
  .filter((folder) => !/dashboard|sdk|local-stack/.test(folder) && existsSync(join(ROOT, folder)));
/**
 * Caches that the code looks up by a key, and maps that a timer empties (`let`). Those by verdict object hold nothing of an
 * account, and any other Map is what one call gathers, except where it holds look-ups under way or counts that were read.
 */
const CACHE =
  /const (\w+) = (?:new LRUCache\b|createSingleFlight<|new Map<string, (?:Flight|Seen)>)|let (\w+) = new Map</g;

t.test('the table names every cache of the code, and no other', async (t) => {
  const found = LOOKED_AT.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true })
      .map(String)
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        [...readFileSync(join(ROOT, folder, file), 'utf8').matchAll(CACHE)].map(
          ([, cache, gathered]) => `${folder}/${file} ${cache ?? gathered}`,
        ),
      ),
  );
  t.strictSame(found.sort(), CACHES.map(({ file, name }) => `${file} ${name}`).sort());
});

t.test('every cache of accounts has a mutant that drops the account', async (t) => {
  for (const { file, name, whose, seenBy } of CACHES) {
    if (whose === 'everybody') continue;
    t.ok(existsSync(join(ROOT, 'test/failure/mutants', `${seenBy}.patch`)), `${file} ${name}`);
  }
});
