import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildDashboard } from './build-dashboard.mjs';
import { logFileFor } from './log-file.mjs';
import { mirrorSources } from './mirror-sources.mjs';
import { inRoot } from './paths.mjs';
import { pnpm } from './pnpm.mjs';
import { run } from './run.mjs';
import { fingerprintOf, isUpToDate, markDone } from './stamp.mjs';

/** The same as `pnpm build`, leaving out what is up to date. @param {(detail: string) => void} note */
export async function build(note) {
  note('database client');
  await generate();
  note('types');
  mirrorSources();
  await run(process.execPath, [inRoot('node_modules/@typescript/native/bin/tsc'), '-b'], {
    log: logFileFor('build'),
    sentence: 'The build failed.',
  });
  note('dashboard');
  await buildDashboard();
  note('types, database client, dashboard');
}

async function generate() {
  const schema = 'prisma/schema.prisma';
  const fingerprint = fingerprintOf([schema, 'packages/db/package.json', 'pnpm-lock.yaml']);
  if (isUpToDate('generate', fingerprint) && existsSync(generatedDirectory(schema))) return;
  await pnpm(['--filter', '@verdict/db', 'generate'], {
    log: logFileFor('build'),
    sentence: 'The database client could not be generated.',
  });
  markDone('generate', fingerprint);
}

/** Where the schema says its client goes. @param {string} schema */
function generatedDirectory(schema) {
  const output = /^\s*output\s*=\s*"([^"]+)"/m.exec(readFileSync(inRoot(schema), 'utf8'));
  return path.resolve(path.dirname(inRoot(schema)), output?.[1] ?? '.');
}
