import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import type * as checkApi from '@verdict/contracts/check-api.js';
import type * as batchApi from '@verdict/contracts/check-batch-api.js';
import type { Datasets } from '@verdict/contracts/datasets.js';
import type * as jobsApi from '@verdict/contracts/jobs-api.js';
import type { StatusResult } from '@verdict/contracts/status-api.js';
import type { UsageResult } from '@verdict/contracts/usage-api.js';
import type { WebhookEvent } from '@verdict/contracts/webhook-events.js';
import type { Decision } from '@verdict/domain/decision.js';
import type * as esm from '@verdict/sdk';
import { publint } from 'publint';
import t, { type Test } from 'tap';
import { ROOT } from '../architecture/source-files.js';

const run = promisify(execFile);
const sdk = join(ROOT, 'packages/sdk');

/** Fails to compile, rather than to run, when the client describes something else than the service sends. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** Without what is optional: the client also takes, and never sends, undefined. */
type Given<T> = { [Name in keyof T]-?: Exclude<T[Name], undefined> };
type Item = Pick<esm.CheckedItem, 'ref' | 'check'> & Pick<esm.RefusedItem, 'error' | 'code' | 'errors'>;
const described: [
  Same<esm.CheckResult, checkApi.CheckResult>,
  // The line above would not notice fields that are optional on either side.
  Same<keyof esm.CheckResult['signals'], keyof checkApi.CheckResult['signals']>,
  Same<Given<esm.CheckInput>, Given<Omit<checkApi.CheckBody, 'api_key_id'>>>,
  Same<Item, Given<batchApi.BatchItemResult>>,
  Same<esm.Expansion, checkApi.Expansion>,
  Same<esm.Datasets, Datasets>,
  Same<esm.Decision, Decision>,
  Same<esm.StatusResult, StatusResult>,
  Same<esm.UsageResult, UsageResult>,
  Same<esm.Job, jobsApi.BulkJob>,
  Same<esm.JobResult, jobsApi.JobResult>,
  Same<esm.WebhookEvent, WebhookEvent>,
] = [true, true, true, true, true, true, true, true, true, true, true, true];

t.test('the types of the client are those of the service', async (t) => {
  t.ok(described.every(Boolean), 'this file compiled');
});

/** A package as npm packs it, in a folder of its own; the client unless told otherwise. */
async function pack(t: Test, cwd = sdk) {
  const directory = await mkdtemp(join(tmpdir(), 'verdict-sdk-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', directory], { cwd });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  if (!packed) throw new Error('npm pack made nothing');
  return { directory, file: join(directory, packed.filename), paths: packed.files.map(({ path }) => path) };
}

t.test('the package can be published: it resolves with its types for import and for require', async (t) => {
  const { file, paths } = await pack(t);
  const tarball = await readFile(file);
  t.strictSame(await findingsOf(tarball), [], 'publint has nothing to say');
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  t.strictSame(analysis.types && 'problems' in analysis ? analysis.problems : 'no types', []);
  t.notOk(
    paths.some((path) => /test|tsbuildinfo/.test(path)),
    'only what a user needs is packed',
  );
  t.ok(paths.includes('LICENSE'));
  t.equal(await readFile(join(sdk, 'LICENSE'), 'utf8'), await readFile(join(ROOT, 'LICENSE'), 'utf8'));
  t.notMatch(
    await readFile(join(sdk, 'README.md'), 'utf8'),
    /\]\(\.\.?\//,
    'no link leads out of the package',
  );
});

async function findingsOf(tarball: Buffer) {
  const bytes = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.length) as ArrayBuffer;
  return (await publint({ strict: true, pack: { tarball: bytes } })).messages;
}

t.test('the plugin for better-auth can be published', async (t) => {
  const { file, paths } = await pack(t, join(ROOT, 'clients/better-auth'));
  t.strictSame(await findingsOf(await readFile(file)), [], 'publint has nothing to say');
  t.strictSame(paths.sort(), ['LICENSE', 'README.md', 'index.d.ts', 'index.js', 'package.json']);
});

const STRICT = `
import { type BatchItemResult, Verdict, VerdictError } from '@verdict/sdk';
const maybe: AbortSignal | undefined = undefined;
const verdict = new Verdict({ apiKey: 'k', baseUrl: 'http://localhost/', fallback: 'review' });
export const decision = async () => (await verdict.check('a@b.example', { signal: maybe })).decision;
export const told = (item: BatchItemResult): string => (item.check ? item.check.decision : item.error);
export const isOurs = (error: unknown): error is VerdictError => error instanceof VerdictError;
`;

t.test('an empty project installs it: import, require, strict TypeScript and the command', async (t) => {
  const { directory, file } = await pack(t);
  const project = join(directory, 'project');
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "private": true }');
  const inProject = (...[command, ...args]: [string, ...string[]]) => run(command, args, { cwd: project });
  await inProject('npm', 'install', '--offline', '--no-audit', '--no-fund', file);
  const same = `
    const { VerdictError: required, ...names } = require('@verdict/sdk');
    import('@verdict/sdk').then(({ VerdictError, ...others }) => {
      const error = new VerdictError('x', { code: 'timeout' });
      console.log(JSON.stringify([error instanceof required, Object.keys(names), Object.keys(others)]));
    });`;
  const { stdout } = await inProject(process.execPath, '-e', same);
  const [isInstance, required, imported] = JSON.parse(stdout) as [boolean, string[], string[]];
  t.equal(isInstance, true, 'an error of one build is an instance of the other');
  t.strictSame(required.sort(), imported.sort());
  await writeFile(join(project, 'strict.mts'), STRICT);
  const tsc = join(ROOT, 'scripts/node_modules/@typescript/native/bin/tsc');
  const flags =
    '--noEmit --module nodenext --target es2023 --lib es2023,dom --strict --exactOptionalPropertyTypes';
  await inProject(process.execPath, tsc, ...flags.split(' '), '--ignoreConfig', 'strict.mts');
  const help = await inProject('npx', '--no', '--', 'verdict-check', '--help');
  t.match(help.stdout, /^verdict-check /);
});

t.test('the package has no dependencies', async (t) => {
  const manifest = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8'));
  t.strictSame(manifest.dependencies ?? {}, {});
});

t.test('the examples of the README are the compiled ones', async (t) => {
  const readme = await readFile(join(sdk, 'README.md'), 'utf8');
  const shown = [...readme.matchAll(/<!-- (examples\/[\w-]+\.ts) -->\s+```ts\n([\s\S]*?)```/g)];
  t.equal(shown.length, 2);
  for (const [, path = '', text] of shown) t.equal(text, await readFile(join(sdk, path), 'utf8'), path);
});
