import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Compiles the client that orval generates from openapi.json, strictly. Outside the suite, because orval brings hundreds of
// packages; the suite does the same with openapi-typescript.

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'verdict-generated-'));
const client = join(folder, 'client.ts');
const STRICT = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --ignoreConfig';
const PLATFORM = '--target es2023 --lib es2023,dom --module esnext --moduleResolution bundler';

const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
run(process.execPath, join(root, 'scripts/build.mjs'));
const openapi = join(root, 'dist/assets/openapi.json');
run('npx', '--yes', 'orval@7.13.2', '--input', openapi, '--output', client, '--client', 'fetch');
run(join(root, 'scripts/node_modules/.bin/tsc'), ...`${STRICT} ${PLATFORM}`.split(' '), client);
process.stdout.write('orval: the generated client compiles\n');
