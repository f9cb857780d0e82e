// Runs the pinned pnpm with these arguments.
import { spawnSync } from 'node:child_process';
import { pnpmProgram } from './lib/pnpm.mjs';

const args = [await pnpmProgram(), ...process.argv.slice(2)];
process.exit(spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1);
