import { mkdirSync, writeFileSync } from 'node:fs';
import { inData } from './paths.js';
import { builtFile, sharesProcess } from './test-lanes.js';

/** The program of one process. */
export interface TestProgram {
  readonly file: string;
  /** How the run names it. */
  readonly title: string;
}

/** At most so many files share a process. */
const TOGETHER = 8;

/** For the files that share processes: to load tap and the code takes longer than most of their tests. */
export function sharedProcesses(files: readonly string[]): TestProgram[] {
  return byFolder(files.filter(sharesProcess)).flatMap(([folder, inFolder]) => {
    const count = Math.ceil(inFolder.length / TOGETHER);
    const size = Math.ceil(inFolder.length / count);
    const group = (number: number) => inFolder.slice(number * size, (number + 1) * size);
    return Array.from({ length: count }, (_, i) => loadAll(`${folder} ${i + 1}/${count}`, group(i)));
  });
}

/** For the others. Those of a folder are spread, because attacks starve each other. */
export function ownProcesses(files: readonly string[]): TestProgram[] {
  return byFolder(files.filter((file) => !sharesProcess(file)))
    .flatMap(([, inFolder]) => inFolder.map((file, i) => ({ file, place: (i + 0.5) / inFolder.length })))
    .sort((a, b) => a.place - b.place)
    .map(({ file }) => ({ file: builtFile(file), title: file }));
}

/** A program that loads the files. tap ends with its last test, so the first one lasts until all are loaded. */
function loadAll(title: string, files: readonly string[]): TestProgram {
  const file = inData('test/programs', `${title.replaceAll(/\W+/g, '-')}.mjs`);
  const imports = files.map((one) => `await import(${JSON.stringify(builtFile(one))});`);
  mkdirSync(inData('test/programs'), { recursive: true });
  writeFileSync(
    file,
    `import t from 'tap';\nt.test(import.meta.filename, async () => {\n${imports.join('\n')}\n});\n`,
  );
  return { file, title };
}

/** By workspace, or by kind of test; the folder with the most files first. */
function byFolder(files: readonly string[]): [string, string[]][] {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = file.split('/', 2).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [...folders].sort(([, a], [, b]) => b.length - a.length);
}
