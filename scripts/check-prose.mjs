import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';

// `npm run lint` counts phrases that hide the actor or the ordinary word, over documents, comments and the sentences that
// people read. `node scripts/check-prose.mjs --show RULE` lists the places.

/** How often each phrase may occur at most. Lower a number when you have rewritten old texts. */
const RULES = {
  'What, Who or Whoever as a noun at the start': [
    12,
    /(?<=^|[.!;:] )(?:What|Who|Whom|Whoever|Whatever)\b(?![^.]*\?)/gm,
  ],
  whoever: [23, /\bwhom?ever\b/gi],
  nobody: [23, /\bnobody\b/gi],
  'is told': [6, /\b(?:is|are|was|were|be|been|being) told\b/gi],
  'of its own': [22, /\bof (?:its|their|our|your|his) own\b/gi],
  'at once': [8, /\bat once\b/gi],
  stands: [15, /\bstands?\b/gi],
  lies: [9, /\blies?\b/gi],
  'by itself': [8, /\bby (?:itself|themselves)\b/gi],
  'in force': [5, /\bin force\b/gi],
  'goes on': [10, /\b(?:go|goes|going|went) on\b/gi],
  anew: [2, /\banew\b/gi],
  'is no': [8, /(?<!there )\b(?:is|are) no\b/gi],
  'this once': [0, /\bthis once\b/gi],
};

const SKIPPED =
  /(^|\/)(generated|data|lists|migrations)\/|^(LICENSE|NOTICE|CHANGELOG\.md)|^docs\/conformance\.md|check-prose\.mjs$/;
const COMMENT = {
  ts: /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g,
  lua: /--[^\n]*/g,
  yml: /(?<=^|\s)#[^\n]*|(?<=(?:summary|action|description): )[^\n]*/g,
};
/** A literal with three words or more is a sentence that somebody reads; shorter ones are codes. */
const SENTENCE = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;

/** @param {string} path @param {string} text @returns {string[]} the texts of a file that people read */
function proseOf(path, text) {
  const [, ending = ''] = /\.(\w+)$/.exec(path) ?? [];
  if (ending === 'md') return text.replace(/```[\s\S]*?```/g, '').split(/\n\s*\n|\n(?=[-|#])/);
  if (ending === 'lua' || ending === 'sql') return text.match(COMMENT.lua) ?? [];
  if (ending === 'yml' || ending === 'yaml') return text.match(COMMENT.yml) ?? [];
  const comments = text.match(COMMENT.ts) ?? [];
  if (/\.test\.ts$|\/test\//.test(`/${path}`)) return comments;
  const sentences = text.replace(COMMENT.ts, '').match(SENTENCE) ?? [];
  return [...comments, ...sentences.filter((literal) => /\w+ \w+ \w+/.test(literal))];
}

/** A comment without its marks, on one line. @param {string} text */
const plain = (text) => text.replace(/\n\s*\*?/g, ' ').replace(/^(?:\/\*\*?|\/\/|--|#|['"`|\s-])+/, '');

const ENDINGS = ['md', 'ts', 'tsx', 'mjs', 'lua', 'sql', 'yml', 'yaml'].map((ending) => `*.${ending}`);
const tracked = execFileSync('git', ['ls-files', ...ENDINGS], { cwd: inRoot(), encoding: 'utf8' }).split(
  '\n',
);
const texts = tracked
  .filter((path) => path && !SKIPPED.test(path))
  .flatMap((path) => proseOf(path, readFileSync(inRoot(path), 'utf8')).map((text) => [path, plain(text)]));

const [, , , wanted] = process.argv;
for (const [rule, [allowed, pattern]] of Object.entries(RULES)) {
  const places = texts.flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map(
      ({ index }) => `${path}: …${text.slice(Math.max(0, index - 40), index + 60).trim()}…`,
    ),
  );
  if (rule === wanted) console.log(places.join('\n'));
  if (places.length <= allowed) continue;
  process.exitCode = 1;
  console.error(
    `"${rule}" occurs ${places.length} times, ${allowed} are allowed. Rewrite the new one: node scripts/check-prose.mjs --show '${rule}'`,
  );
}
