import t from 'tap';
import { readSources } from '../architecture/source-files.js';

/** Words that belong in the API documentation, and words that nobody says, each with the word to use. */
const BANNED: readonly (readonly [found: RegExp, instead: string])[] = [
  [/\b(?:gateways?|redis|postgres)\b/i, 'what the person sees'],
  [/\b(?:401|403|429)\b|\?column=/, 'what happened and what to do'],
  [/\bin force\b|\bholds at once\b|\bat once\b/i, 'immediately'],
  [/\bthis once\b/i, 'not shown again'],
  [/\b(?:second factor|terms of)\b/i, 'two-factor authentication, limits'],
  [/\bfits?\b/i, 'matching'],
  [/\bgo on\b/i, 'continue, resume or confirm'],
  [/\bdecided otherwise\b|\bpapers\b|\banew\b/i, 'a different decision, documents, again'],
  [/^(?:What|Who|Whoever)\b(?!.*\?$)/, 'a sentence that names the actor'],
];

/** Texts in quotes that hold a blank, as every sentence does. */
const TEXT = /'((?:[^'\\\n]|\\.)* (?:[^'\\\n]|\\.)*)'|`([^`\n]* [^`\n]*)`|>\s*([A-Z][^<>{}\n]* [^<>{}\n]*)</g;

t.test('the dashboard speaks of what people see, in the words they use', async (t) => {
  const sources = readSources().filter(({ unit }) => unit === 'services/dashboard');
  let texts = 0;
  for (const { path, text } of sources) {
    const code = text.replace(/^import [^;]*;$/gm, '').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    for (const match of code.matchAll(TEXT)) {
      const said = match[1] ?? match[2] ?? match[3] ?? '';
      texts += 1;
      for (const [banned, instead] of BANNED) {
        if (banned.test(said)) t.fail(`${path}: “${said}”. Write ${instead}.`);
      }
    }
  }
  t.ok(texts > 500, `${texts} texts`);
});
