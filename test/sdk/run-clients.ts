import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import { driveProcess } from '@verdict/sdk-conformance/drive-process.js';
import { driveTypeScript } from '@verdict/sdk-conformance/drive-typescript.js';
import { readCases } from '@verdict/sdk-conformance/read-cases.js';
import { type Findings, runSuite } from '@verdict/sdk-conformance/run-suite.js';

export const PYTHON_CLIENT = inRoot('clients/python');

/** Python 3.9 or later is on this machine. */
export const hasPython = (): boolean =>
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

/** Holds every client against every case. */
export async function runClients(): Promise<ReadonlyMap<string, Findings>> {
  const cases = readCases(inRoot('packages/sdk-conformance/data')).flatMap((subject) => subject.cases);
  const folder = await mkdtemp(join(tmpdir(), 'verdict-clients-'));
  const typescript = driveTypeScript((text) => {
    const path = join(folder, 'people.csv');
    writeFileSync(path, text);
    return path;
  });
  const found = new Map([['TypeScript', await runSuite(cases, typescript)]]);
  for (const [name, args] of [
    ['Python', []],
    ['Python, asyncio', ['--asyncio']],
  ] as const) {
    const { drive, end } = driveProcess('python3', ['-B', 'conformance.py', ...args], PYTHON_CLIENT);
    found.set(name, await runSuite(cases, drive));
    end();
  }
  await rm(folder, { recursive: true });
  return found;
}
