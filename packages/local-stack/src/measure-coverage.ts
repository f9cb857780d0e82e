import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Failure } from './failure.js';
import { readJson } from './json-file.js';
import { inData, inRoot } from './paths.js';
import { runCommand } from './run-command.js';

/** Where V8 writes what ran, told to processes as NODE_V8_COVERAGE. */
export const RECORDED = inData('test/coverage');

interface Floors {
  /** Percent of the lines of each file. */
  readonly floor: number;
  /** Files whose own tests must reach it, from the checkout; a folder stands for all of its files. */
  readonly files: readonly string[];
}

type Summary = Readonly<Record<string, { readonly lines: { readonly total: number; readonly pct: number } }>>;

/**
 * How much of the shipped code the tests beside it run, without those of whole stacks: files that no test loads count as
 * not run. A file that test/coverage-floors.json names and that stays below the floor fails the run.
 */
export async function measureCoverage(note: (detail: string) => void): Promise<void> {
  const program = join(dirname(createRequire(import.meta.url).resolve('c8/package.json')), 'bin/c8.js');
  const reports = inData('test/coverage-report');
  const include = ['packages/*/dist/src/**', 'services/*/dist/src/**'].flatMap((path) => ['--include', path]);
  const exclude = ['**/*.d.ts', '**/generated/**', 'packages/local-stack/**'].flatMap((path) => [
    '--exclude',
    path,
  ]);
  await runCommand(
    process.execPath,
    [
      ...[program, 'report', '--all', '--temp-directory', RECORDED, '--reports-dir', reports],
      ...['--reporter', 'json-summary', ...include, ...exclude],
    ],
    { cwd: inRoot(), sentence: 'What the tests cover could not be read.' },
  );
  const summary = readJson<Summary>(join(reports, 'coverage-summary.json')) ?? {};
  note(`${summary.total?.lines.pct ?? 0} % of ${summary.total?.lines.total ?? 0} lines`);
  const { floor, files } = readJson<Floors>(inRoot('test/coverage-floors.json')) ?? { floor: 0, files: [] };
  const low = Object.entries(summary).filter(
    ([path, { lines }]) => lines.pct < floor && files.some((file) => path.startsWith(inRoot(file))),
  );
  const told = [
    ...low.map(([path, { lines }]) => `${path.slice(inRoot().length + 1)}  ${lines.pct} %`),
    ...files.filter((file) => !existsSync(inRoot(file))).map((file) => `${file}  is not there`),
  ];
  if (told.length > 0)
    throw new Failure(`Covered by less than ${floor} %:`, told.join('\n'), undefined, told.length);
}
