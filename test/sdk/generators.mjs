import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Compiles what each generator makes of openapi.json, strictly. Outside the suite, because they bring hundreds of packages.

const root = fileURLToPath(new URL('../..', import.meta.url));
const openapi = join(root, 'dist/assets/openapi.json');
const STRICT = '--strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --noEmit --ignoreConfig';
const PLATFORM = '--target es2023 --lib es2023,dom,dom.iterable --module esnext --moduleResolution bundler';

/** By name and version on npm: the command, and the file that is compiled. */
const GENERATORS = {
  'orval@7.13.2': {
    args: ['--input', openapi, '--output', 'client.ts', '--client', 'fetch'],
    made: 'client.ts',
  },
  'openapi-typescript@7.13.0': { args: [openapi, '--output', 'api.ts'], made: 'api.ts' },
};

const run = (cwd, command, ...args) => {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

const folder = mkdtempSync(join(tmpdir(), 'verdict-generated-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
run(root, process.execPath, join(root, 'scripts/build.mjs'));
for (const [generator, { args, made }] of Object.entries(GENERATORS)) {
  const own = mkdtempSync(join(folder, 'one-'));
  run(own, 'npx', '--yes', generator, ...args);
  run(
    own,
    join(root, 'scripts/node_modules/.bin/tsc'),
    ...`${STRICT} ${PLATFORM}`.split(' '),
    join(own, made),
  );
  process.stdout.write(`${generator}: what it generates compiles\n`);
}
