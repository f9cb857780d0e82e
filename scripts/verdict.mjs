#!/usr/bin/env node
// `npx verdict …`, `npm run -s verdict -- …`: the operator's command from a checkout. It installs and builds what is missing
// and says so on the standard error; the standard output is for data.
import { existsSync } from 'node:fs';
import { isNodeRecentEnough } from './lib/node-version.mjs';
import { inRoot } from './lib/paths.mjs';

const program = inRoot('dist/services/verdict.js');

if (!isNodeRecentEnough()) {
  process.exitCode = 1;
} else {
  if (!existsSync(program) || !existsSync(inRoot('node_modules'))) await prepare();
  await import(program);
}

async function prepare() {
  const { makeDataDirectory } = await import('./lib/paths.mjs');
  const { install } = await import('./lib/install.mjs');
  const { buildServices } = await import('./lib/build.mjs');
  const note = (detail) => process.stderr.write(`verdict: preparing this checkout (${detail})\n`);
  try {
    makeDataDirectory();
    await install('start', note);
    await buildServices();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
