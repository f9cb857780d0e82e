#!/usr/bin/env node
// `npx verdict …`, `npm run -s verdict -- …`: the operator's command from a checkout. It installs and builds what is missing
// and says so on the standard error; the standard output is for data.
import { existsSync } from 'node:fs';
import './lib/node-version.mjs';

const { inRoot } = await import('./lib/paths.mjs');
const program = inRoot('dist/services/verdict.js');
if (!existsSync(program) || !existsSync(inRoot('node_modules'))) {
  const { orSay } = await import('./lib/launch.mjs');
  await orSay(async () => {
    const { install } = await import('./lib/install.mjs');
    const { buildServices } = await import('./lib/build.mjs');
    await install('start', (detail) =>
      process.stderr.write(`verdict: preparing this checkout (${detail})\n`),
    );
    await buildServices();
  });
}
if (!process.exitCode) await import(program);
