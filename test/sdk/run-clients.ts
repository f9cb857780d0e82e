import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import { driveProcess } from '@verdict/sdk-conformance/drive-process.js';
import { driveTypeScript } from '@verdict/sdk-conformance/drive-typescript.js';
import { readCases, type Subject } from '@verdict/sdk-conformance/read-cases.js';
import { type Findings, runSuite } from '@verdict/sdk-conformance/run-suite.js';

export const CLIENTS_PAGE = inRoot('docs/clients.md');
export const PYTHON_CLIENT = inRoot('clients/python');

/** Python 3.9 or later is on this machine. */
export const hasPython = (): boolean =>
  spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']).status === 0;

const SUBJECTS = readCases(inRoot('packages/sdk-conformance/data'));

/** Holds every client against every case. */
export async function runClients(): Promise<ReadonlyMap<string, Findings>> {
  const cases = SUBJECTS.flatMap((subject) => subject.cases);
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

/** The page of the documentation, as a run found it. */
export function clientsPage(found: ReadonlyMap<string, Findings>): string {
  const clients = [...found.keys()];
  return `# Clients

Every client passes the same cases, which [sdk-conformance](../packages/sdk-conformance/data) holds as data. \`npm run docs:clients\` runs them against a
server that misbehaves as told and writes this page.

| client                                                  | install                                                       |
| ------------------------------------------------------- | ------------------------------------------------------------- |
| [TypeScript](../packages/sdk/README.md), Node 20.16     | \`npm install http://localhost:8080/sdk/verdict-sdk.tgz\`       |
| [Python](../clients/python/README.md) 3.9, also asyncio | \`pip install http://localhost:8080/sdk/verdict-python.tar.gz\` |
${SUBJECTS.map((subject) => tableOf(subject, clients, found)).join('')}`;
}

function tableOf(
  { subject, cases }: Subject,
  clients: readonly string[],
  found: ReadonlyMap<string, Findings>,
): string {
  const cells = (name: string) =>
    clients.map((client) => (found.get(client)?.get(name)?.length === 0 ? '✓' : '✗'));
  const rows = [['case', ...clients], ...cases.map(({ name }) => [name, ...cells(name)])];
  const widths = ['case', ...clients].map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |\n`;
  const [head = [], ...body] = rows;
  const title = subject.charAt(0).toUpperCase() + subject.slice(1);
  return `\n## ${title}\n\n${line(head)}${line(widths.map((width) => '-'.repeat(width)))}${body.map(line).join('')}`;
}
