import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import type { Case } from '@verdict/sdk-conformance/case.js';
import { driveProcess } from '@verdict/sdk-conformance/drive-process.js';
import { driveTypeScript } from '@verdict/sdk-conformance/drive-typescript.js';
import { readCases } from '@verdict/sdk-conformance/read-cases.js';
import { type Findings, runSuite } from '@verdict/sdk-conformance/run-suite.js';
import { installPackage } from '../../scripts/lib/system-programs.mjs';

export const PYTHON_CLIENT = inRoot('clients/python');

/** Python 3.9 or later is on this machine. */
export const hasPython = (): boolean =>
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

export const PHP_CLIENT = inRoot('clients/php');

/** PHP 8.1 or later with curl; root on Debian or Ubuntu gets it from apt. Null, where it is not to be had. */
export async function findPhp(): Promise<string | null> {
  const isUsable = (php: string) =>
    spawnSync(php, ['-r', 'exit(PHP_VERSION_ID >= 80100 && extension_loaded("curl") ? 0 : 1);']).status === 0;
  if (isUsable('php')) return 'php';
  for (const name of ['php-cli', 'php-curl']) await installPackage(name).catch(() => undefined);
  return isUsable('php') ? 'php' : null;
}

export const readAllCases = (): Case[] =>
  readCases(inRoot('packages/sdk-conformance/data')).flatMap((subject) => subject.cases);

/** Holds every client that can run here against every case. PHP waits through one case at a time, so it runs beside the others. */
export async function runClients(): Promise<ReadonlyMap<string, Findings>> {
  const cases = readAllCases();
  const [found, php] = await Promise.all([runInTurn(cases), runPhp(cases)]);
  return php ? found.set('PHP', php) : found;
}

async function runInTurn(cases: readonly Case[]): Promise<Map<string, Findings>> {
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

async function runPhp(cases: readonly Case[]): Promise<Findings | null> {
  const php = await findPhp();
  if (!php) return null;
  const { drive, end } = driveProcess(php, ['conformance.php'], PHP_CLIENT);
  const oneByOne = cases.filter(({ isConcurrent }) => !isConcurrent);
  const findings = await runSuite(oneByOne, drive, 1);
  end();
  return findings;
}
