import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT, readSources } from './source-files.js';

/** The exports of the published client. */
const PUBLISHED = 'packages/sdk';
/** Its users are outside, or they are tests. */
const FOR_TESTS = [PUBLISHED, 'packages/sdk-conformance', 'packages/local-stack'];
/** Types are part of what an exported function says of itself, so they may be there for the compiler alone. */
const EXPORT = /^export (?:async )?(?:const|let|function|class|enum) (\w+)/gm;
/** The names of an import. A dynamic import may name what it takes anywhere. */
const NAMED = /\bimport\b[^'";]*?\bfrom\b/g;
/** An import of a whole module takes all of it. */
const WHOLE = /\bimport \* as \w+ from '@verdict\/([\w-]+)\/([\w/-]+)\.js'/g;
const takenBy = (text: string): string[] => [
  ...(/\bimport\(/.test(text) ? [text] : [...text.matchAll(NAMED)].map(([clause]) => clause)),
  ...[...text.matchAll(WHOLE)].flatMap(([, unit, file]) =>
    [...readFileSync(join(ROOT, `packages/${unit}/src/${file}.ts`), 'utf8').matchAll(EXPORT)].map(
      ([, name = '']) => name,
    ),
  ),
];

function codeBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (/^(\.|node_modules$|dist$|generated$|data$)/.test(entry.name)) return [];
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return codeBelow(path);
    return /\.(ts|tsx|mts|mjs)$/.test(entry.name) ? [path] : [];
  });
}

/** Without comments, which may name what nothing uses. */
const codeOf = (text: string): string => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');

t.test('nothing ships for tests alone', async (t) => {
  const taken = new Set<string>();
  for (const file of codeBelow(ROOT)) {
    if (/[/\\]test[/\\]/.test(file.slice(ROOT.length))) continue;
    for (const clause of takenBy(readFileSync(file, 'utf8')))
      for (const [word] of clause.matchAll(/\w+/g)) taken.add(word);
  }
  const unused = readSources()
    .filter(({ unit }) => !FOR_TESTS.includes(unit))
    .flatMap(({ path, text }) => {
      const code = codeOf(text);
      return [...code.matchAll(EXPORT)]
        .filter(([, name = '']) => !taken.has(name) && code.split(new RegExp(`\\b${name}\\b`)).length === 2)
        .map(([, name = '']) => `${path}: ${name}`);
    });
  t.strictSame(unused, [], 'these belong to the tests');
});

t.test('whatever a file exports, another file takes', async (t) => {
  const taken = new Set<string>();
  for (const file of codeBelow(ROOT)) {
    for (const clause of takenBy(readFileSync(file, 'utf8')))
      for (const [word] of clause.matchAll(/\w+/g)) taken.add(word);
  }
  t.ok(taken.size > 500);
  const atHome = readSources()
    .filter(({ unit }) => unit !== PUBLISHED)
    .flatMap(({ path, text }) =>
      [...text.matchAll(EXPORT)]
        .filter(([, name = '']) => !taken.has(name))
        .map(([, name = '']) => `${path}: ${name}`),
    );
  t.strictSame(atHome, [], 'these need not be exported');
});
