import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Compiles what each generator makes of openapi.json, strictly. Outside the suite, because they bring hundreds of packages.

const root = fileURLToPath(new URL('../..', import.meta.url));
const openapi = join(root, 'dist/assets/openapi.json');
const STRICT = '--strict --noUncheckedIndexedAccess --noEmit --ignoreConfig';
const STRICTEST = `${STRICT} --exactOptionalPropertyTypes`;
const PLATFORM = '--target es2023 --lib es2023,dom,dom.iterable --module esnext --moduleResolution bundler';

/** By name and version on npm: the command, the file that is compiled and how strictly. */
const GENERATORS = {
  'orval@7.13.2': {
    args: ['orval', '--input', openapi, '--output', 'client.ts', '--client', 'fetch'],
    made: 'client.ts',
    flags: STRICTEST,
  },
  'openapi-typescript@7.13.0': {
    args: ['openapi-typescript', openapi, '--output', 'api.ts'],
    made: 'api.ts',
    flags: STRICTEST,
  },
  // The last release for Node 20. Files that it copies as they are, whatever the document, fail the strictest check.
  '@hey-api/openapi-ts@0.95.0': {
    args: ['openapi-ts', '--input', openapi, '--output', 'api', '--no-log-file'],
    needs: ['typescript@5.9.3'],
    made: 'api/index.ts',
    flags: STRICT,
  },
};

const run = (cwd, command, ...args) => {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

const folder = mkdtempSync(join(tmpdir(), 'verdict-generated-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
run(root, process.execPath, join(root, 'scripts/build.mjs'));
for (const [generator, { args, needs = [], made, flags }] of Object.entries(GENERATORS)) {
  const own = mkdtempSync(join(folder, 'one-'));
  const packages = [generator, ...needs].flatMap((name) => ['--package', name]);
  run(own, 'npx', '--yes', ...packages, ...args);
  run(
    own,
    join(root, 'scripts/node_modules/.bin/tsc'),
    ...`${flags} ${PLATFORM}`.split(' '),
    join(own, made),
  );
  process.stdout.write(`${generator}: what it generates compiles\n`);
}
