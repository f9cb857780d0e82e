import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { inRoot } from './lib/paths.mjs';

// `npm run lint` counts phrases that hide the actor or the ordinary word. A budget per phrase may only fall, so that old texts improve
// and new ones stay plain; `node scripts/check-prose.mjs --lower` writes the lower count, `--show RULE` lists the places.

/** The phrases, over documents, comments and the sentences that people read. */
const RULES = {
  'What, Who or Whoever as a noun at the start':
    /(?<=^|[.!;:] )(?:What|Who|Whom|Whoever|Whatever)\b(?![^.]*\?)/gm,
  whoever: /\bwhom?ever\b/gi,
  nobody: /\bnobody\b/gi,
  'is told': /\b(?:is|are|was|were|be|been|being) told\b/gi,
  'of its own': /\bof (?:its|their|our|your|his) own\b/gi,
  'at once': /\bat once\b/gi,
  stands: /\bstands?\b/gi,
  lies: /\blies?\b/gi,
  'by itself': /\bby (?:itself|themselves)\b/gi,
  'in force': /\bin force\b/gi,
  'goes on': /\b(?:go|goes|going|went) on\b/gi,
  anew: /\banew\b/gi,
  'is no': /(?<!there )\b(?:is|are) no\b/gi,
  'this once': /\bthis once\b/gi,
};

const BUDGET = inRoot('scripts/prose-budget.json');
const SKIPPED = /(^|\/)(generated|data|lists|migrations)\/|^(LICENSE|NOTICE|CHANGELOG\.md)|check-prose\.mjs$/;
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

const paths = execFileSync(
  'git',
  ['ls-files', '*.md', '*.ts', '*.tsx', '*.mjs', '*.lua', '*.sql', '*.yml', '*.yaml'],
  {
    cwd: inRoot(),
    encoding: 'utf8',
  },
);
/** @type {Record<string, string[]>} */
const found = Object.fromEntries(Object.keys(RULES).map((rule) => [rule, []]));
for (const path of paths.split('\n').filter((name) => name && !SKIPPED.test(name))) {
  for (const text of proseOf(path, readFileSync(inRoot(path), 'utf8')).map(plain)) {
    for (const [rule, pattern] of Object.entries(RULES)) {
      for (const { index } of text.matchAll(pattern))
        found[rule]?.push(`${path}: …${text.slice(Math.max(0, index - 40), index + 60).trim()}…`);
    }
  }
}

const budget = JSON.parse(readFileSync(BUDGET, 'utf8'));
const counts = Object.fromEntries(Object.entries(found).map(([rule, places]) => [rule, places.length]));
const [, , flag, wanted = ''] = process.argv;
if (flag === '--show') console.log((found[wanted] ?? []).join('\n'));
if (flag === '--lower') {
  const lower = Object.entries(counts).map(([rule, count]) => [rule, Math.min(count, budget[rule] ?? count)]);
  writeFileSync(BUDGET, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`);
} else {
  for (const [rule, count] of Object.entries(counts)) {
    if (count === budget[rule]) continue;
    process.exitCode = 1;
    console.error(
      count > (budget[rule] ?? 0)
        ? `"${rule}" occurs ${count} times, ${budget[rule] ?? 0} are allowed. Rewrite the new one: node scripts/check-prose.mjs --show '${rule}'`
        : `"${rule}" occurs only ${count} times, ${budget[rule]} are allowed. Lower the budget: node scripts/check-prose.mjs --lower`,
    );
  }
}
