import { parsePart } from '@verdict/datasets/sources/parse-part.js';
import type { Part } from '@verdict/datasets/sources/part.js';
import type { SourceHistory } from './find-histories.js';
import { git, readBlobs } from './git.js';

const nothing: Part = { names: [], operators: new Map() };

/** The changes of one commit to a list. */
export interface Change {
  /** In milliseconds. */
  readonly at: number;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Names that the source itself saw of late, where it says so. */
  readonly fresh: ReadonlySet<string>;
}

/**
 * The changes of a list since it began, or from a moment on; then the first of them brings all that it held before. Only the
 * main line counts, with the moment of the merge and not that of the work on a branch; a commit is never older than the one
 * it follows, whatever its clock said.
 */
export function readChanges(history: SourceHistory, from?: number): Change[] {
  if (from === undefined) return changesIn(history, 'HEAD', nothing);
  const before = `--before=${new Date(from).toISOString()}`;
  const base = git(history.gitDir, ['rev-list', '--first-parent', '-1', before, 'HEAD']).toString().trim();
  if (base === '') return changesIn(history, 'HEAD', nothing);
  const first = readFile(history, base);
  const start = { at: from - 1, added: first.names, removed: [], fresh: first.fresh ?? new Set<string>() };
  return [start, ...changesIn(history, `${base}..HEAD`, first)];
}

function changesIn(history: SourceHistory, range: string, first: Part): Change[] {
  return history.source.read.format === 'lines'
    ? lineChanges(history, range)
    : revisions(history, range, first);
}

function readFile({ gitDir, path, source }: SourceHistory, commit: string): Part {
  if (git(gitDir, ['ls-tree', commit, '--', path]).length === 0) return nothing;
  return parsePart(git(gitDir, ['cat-file', 'blob', `${commit}:${path}`]), source.read);
}

/** A list of lines changes by lines: of years of large files only what changed is read. */
function lineChanges(history: SourceHistory, range: string): Change[] {
  const parse = (lines: readonly string[]) =>
    parsePart(Buffer.from(lines.join('\n')), history.source.read).names;
  return log(history, range, ['--patch', '--unified=0']).map(({ at, lines }) => {
    const behind = (sign: string) =>
      lines
        .filter((line) => line.startsWith(sign) && !line.startsWith(sign.repeat(3)))
        .map((line) => line.slice(1));
    return { at, added: parse(behind('+')), removed: parse(behind('-')), fresh: new Set<string>() };
  });
}

/** Any other form is read whole, revision by revision. */
function revisions(history: SourceHistory, range: string, first: Part): Change[] {
  const commits = log(history, range, ['--raw', '--no-abbrev']).flatMap(({ at, lines }) => {
    const [, , , blob = '', change = 'D'] = (lines.find((line) => line.startsWith(':')) ?? '').split(' ');
    return change.startsWith('D') ? [] : [{ at, blob }];
  });
  const contents = readBlobs(
    history.gitDir,
    commits.map(({ blob }) => blob),
  );
  let before = new Set(first.names);
  const changes: Change[] = [];
  for (const bytes of contents) {
    const { names: listed, fresh = new Set<string>() } = parsePart(bytes, history.source.read);
    const names = new Set(listed);
    changes.push({
      at: commits[changes.length]?.at ?? 0,
      added: listed.filter((name) => !before.has(name)),
      removed: [...before].filter((name) => !names.has(name)),
      fresh,
    });
    before = names;
  }
  return changes;
}

function log({ gitDir, path }: SourceHistory, range: string, show: readonly string[]) {
  const mainLine = ['--first-parent', '--diff-merges=first-parent', '--reverse', '--format=%x00%ct'];
  const text = git(gitDir, ['log', ...mainLine, ...show, range, '--', path]).toString();
  let seconds = 0;
  return text
    .split('\0')
    .slice(1)
    .map((commit) => {
      const [time, ...lines] = commit.split('\n');
      seconds = Math.max(seconds, Number(time));
      return { at: seconds * 1000, lines };
    });
}
