import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import type * as checkApi from '@verdict/contracts/check-api.js';
import type * as batchApi from '@verdict/contracts/check-batch-api.js';
import type { Datasets } from '@verdict/contracts/datasets.js';
import type { Decision } from '@verdict/contracts/decision.js';
import type * as jobsApi from '@verdict/contracts/jobs-api.js';
import type { StatusResult } from '@verdict/contracts/status-api.js';
import type { UsageResult } from '@verdict/contracts/usage-api.js';
import type { WebhookEvent } from '@verdict/contracts/webhook-events.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import * as esm from '@verdict/sdk';
import { publint } from 'publint';
import t from 'tap';
import { ROOT } from '../architecture/source-files.js';

const run = promisify(execFile);
const sdk = join(ROOT, 'packages/sdk');

/** Fails to compile, rather than to run, when the client describes something else than the service sends. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
const described: [
  Same<esm.CheckResult, checkApi.CheckResult>,
  // What is optional on either side would not be missed by the line above.
  Same<keyof esm.CheckResult['signals'], keyof checkApi.CheckResult['signals']>,
  Same<esm.CheckInput, Omit<checkApi.CheckBody, 'api_key_id'>>,
  Same<esm.BatchItemResult, batchApi.BatchItemResult>,
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

t.test('the package can be published: it resolves with its types for import and for require', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'verdict-sdk-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', directory], { cwd: sdk });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  if (!packed) throw new Error('npm pack made nothing');
  const tarball = await readFile(join(directory, packed.filename));
  const bytes = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.length) as ArrayBuffer;
  const { messages } = await publint({ strict: true, pack: { tarball: bytes } });
  t.strictSame(messages, [], 'publint has nothing to say');
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  t.strictSame(analysis.types && 'problems' in analysis ? analysis.problems : 'no types', []);
  t.notOk(
    packed.files.some(({ path }) => /test|examples|tsbuildinfo/.test(path)),
    'only what a user needs is packed',
  );
});

t.test('the package has no dependencies', async (t) => {
  const manifest = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8'));
  t.strictSame(manifest.dependencies ?? {}, {});
});

t.test('import and require give the same names', async (t) => {
  await run('npm', ['run', '--silent', 'build'], { cwd: sdk });
  const commonjs = createRequire(inRoot('test/package.json'))('@verdict/sdk') as object;
  t.strictSame(Object.keys(commonjs).sort(), Object.keys(esm).sort());
});

t.test('the examples of the README are the compiled ones', async (t) => {
  const readme = await readFile(join(sdk, 'README.md'), 'utf8');
  const shown = [...readme.matchAll(/<!-- (examples\/[\w-]+\.ts) -->\s+```ts\n([\s\S]*?)```/g)];
  t.equal(shown.length, 2);
  for (const [, path = '', text] of shown) t.equal(text, await readFile(join(sdk, path), 'utf8'), path);
});
