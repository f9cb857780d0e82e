#!/usr/bin/env node
// `npx verdict …`, `npm run -s verdict -- …`: the operator's command from a checkout. What it needs is installed and built
// when it is missing; whatever is said about that goes to the standard error, the standard output is for data.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isNodeRecentEnough } from './lib/node-version.mjs';
import { inRoot } from './lib/paths.mjs';

const main = inRoot('services/operator-cli/dist/src/main.js');

if (!isNodeRecentEnough()) {
  process.exitCode = 1;
} else {
  if (!existsSync(main) || !existsSync(inRoot('node_modules'))) await prepare();
  await import(pathToFileURL(main).href);
}

async function prepare() {
  const { makeDataDirectory } = await import('./lib/paths.mjs');
  const { install } = await import('./lib/install.mjs');
  const { build } = await import('./lib/build.mjs');
  const note = (detail) => process.stderr.write(`verdict: preparing this checkout (${detail})\n`);
  try {
    makeDataDirectory();
    await install(note);
    await build(note);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
