// `npm run build` in packages/sdk, and before `npm pack`. With --keep it also files the archives of this release for later servers.
import { copyFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { buildSdk, packSdk } from './lib/build-sdk.mjs';
import { inRoot } from './lib/paths.mjs';

if (process.argv.includes('--keep')) {
  const directory = inRoot('dist/sdk');
  await packSdk(directory);
  for (const name of readdirSync(directory).filter((each) => each.startsWith('verdict')))
    copyFileSync(path.join(directory, name), path.join(inRoot('clients/released'), name));
} else {
  await buildSdk();
}
