import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import type { Command } from 'commander';
import t from 'tap';
import { createProgram } from '../src/create-program.js';

const program = await createProgram({ write: () => {}, fail: () => {} });

interface Documented {
  readonly page: string;
  readonly words: readonly string[];
  /** Of a block, which is typed unchanged; prose may name a part of a command. */
  readonly isWhole: boolean;
}

const PAGES = [
  'README.md',
  'SECURITY.md',
  'deploy/prometheus/alerts.yml',
  ...readdirSync(inRoot('docs'), { recursive: true })
    .map((name) => join('docs', String(name)))
    .filter((name) => name.endsWith('.md')),
];
const STARTS = /^(?:[A-Z_]+=\S+ )*(?:npx verdict|verdict|docker-compose run --rm (?:operator|migrate)) (.*)$/;
/** Quoted text is one word; a comment, a pipe and a file end the command. */
const WORD = /"[^"]*"|'[^']*'|[^\s|>#]+|[|>#]/g;

function wordsOf(text: string): string[] {
  const words: string[] = text.match(WORD) ?? [];
  const end = words.findIndex((word) => '|>#'.includes(word));
  return end < 0 ? words : words.slice(0, end);
}

/** The commands that a page tells its reader to type, in blocks and in prose. */
function documentedIn(page: string): Documented[] {
  const text = readFileSync(inRoot(page), 'utf8');
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].flatMap(([, block = '']) => block.split('\n'));
  const prose = [...text.replace(/^```.*?^```/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
  const found = (lines: readonly string[], isWhole: boolean) =>
    lines.flatMap((line) => {
      const words = wordsOf(STARTS.exec(line.trim())?.[1] ?? '');
      return words.length === 0 || words[0] === '…' ? [] : [{ page, words, isWhole }];
    });
  return [...found(blocks, true), ...found(prose, false)];
}

/** The mistake in it, or null. */
function problemOf({ words, isWhole }: Documented): string | null {
  let command: Command = program;
  let next = 0;
  for (; next < words.length; next++) {
    const child = command.commands.find((one) => one.name() === words[next]);
    if (!child) break;
    command = child;
  }
  const rest = words.slice(next);
  if (command === program) return `there is no command ${words[0]}`;
  if (isWhole && command.commands.length > 0 && (rest[0] ?? '--').startsWith('--') === false)
    return `${command.name()} has no command ${rest[0]}`;
  const options = rest.filter((word) => word.startsWith('--'));
  const known = command.options.map(({ long }) => long);
  const unknown = options.find((option) => !known.includes(option));
  if (unknown) return `${command.name()} has no option ${unknown}`;
  const missing = command.options.find(({ mandatory, long }) => mandatory && !options.includes(long ?? ''));
  if (isWhole && missing && !rest.includes('…')) return `${command.name()} needs ${missing.long}`;
  return null;
}

const documented = PAGES.flatMap(documentedIn);

t.test(
  'every command in the docs and in the alerts exists, with the options that it is typed with',
  async (t) => {
    t.ok(documented.length > 80, `${documented.length} commands`);
    for (const one of documented)
      t.equal(problemOf(one), null, `${one.page}: verdict ${one.words.join(' ')}`);
  },
);

t.test('a command, an option or a mandatory option that is wrong is found', async (t) => {
  const problem = (text: string) => problemOf({ page: '', words: wordsOf(text), isWhole: true });
  t.match(problem('invoice issue'), 'no command invoice');
  t.match(problem('invoices isue'), 'no command isue');
  t.match(problem('reconcile --fix'), 'no option --fix');
  t.match(problem('facts archive --to /facts'), 'needs --before');
  t.equal(problem('reconcile --period 2026-11 | head'), null);
});
