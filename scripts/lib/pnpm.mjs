import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inRoot } from './paths.mjs';
import { pinnedPackage } from './pinned-package.mjs';

const pinned = () => JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).packageManager;

/** The package manager's name and version, such as `pnpm 10.34.8`. */
export const pnpmLabel = () => pinned().split('+')[0].replace('@', ' ');

/** The file of its program. */
export const pnpmProgram = async () => path.join(await pinnedPackage(pinned()), 'bin/pnpm.cjs');
