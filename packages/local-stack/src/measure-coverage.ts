import { existsSync } from 'node:fs';
import { Failure } from '../../../scripts/lib/failure.mjs';
import { run } from '../../../scripts/lib/run.mjs';
import { readJson } from './json-file.js';
import { inData, inRoot } from './paths.js';

/** Where V8 writes what ran; processes find it as NODE_V8_COVERAGE. */
export const RECORDED = inData('test/coverage');

interface Floors {
  /** Percent of the lines of each file. */
  readonly floor: number;
  /** Files whose own tests must reach it, from the checkout; a folder means all of its files. */
  readonly files: readonly string[];
  /** Types, and programs that only whole stacks run. */
  readonly except?: readonly string[];
}

type Summary = Readonly<Record<string, { readonly lines: { readonly total: number; readonly pct: number } }>>;

/**
 * Says how much of the shipped code the tests beside it run, the dashboard's logic included; files that no test loads
 * count as not run. A file that test/coverage-floors.json names and that stays below the floor fails the run.
 */
export async function measureCoverage(note: (detail: string) => void): Promise<void> {
  const reports = inData('test/coverage-report');
  // .c8rc.json says which files count.
  const c8 = [inRoot('scripts/node_modules/c8/bin/c8.js'), 'report'];
  await run(process.execPath, [...c8, '--temp-directory', RECORDED, '--reports-dir', reports], {
    sentence: 'c8 could not read the coverage.',
  });
  const summary = readJson<Summary>(`${reports}/coverage-summary.json`) ?? {};
  note(
    `${summary.total?.lines.pct ?? 0} % of ${summary.total?.lines.total ?? 0} lines, the dashboard's logic included`,
  );
  const floors = readJson<readonly Floors[]>(inRoot('test/coverage-floors.json')) ?? [];
  const findings = floors.flatMap(({ floor, files, except = [] }) =>
    Object.entries(summary)
      .filter(([path]) => !except.some((file) => path === inRoot(file)))
      .filter(([path, { lines }]) => lines.pct < floor && files.some((file) => path.startsWith(inRoot(file))))
      .map(([path, { lines }]) => `${path.slice(inRoot().length + 1)}  ${lines.pct} %, ${floor} asked`),
  );
  const missing = floors.flatMap(({ files }) => files.filter((file) => !existsSync(inRoot(file))));
  findings.push(...missing.map((file) => `${file}  does not exist`));
  if (findings.length > 0)
    throw new Failure('Covered too little:', findings.join('\n'), undefined, findings.length);
}
