import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { inRoot } from '@verdict/local-stack/paths.js';

/** Builds the gateway and the worker of a release with other rules beside this one, and says where they are. */
export async function buildNextRelease() {
  const folder = `next-release-${process.pid}`;
  // Loaded from where it is: rolldown is native code.
  const { bundle } = await import(pathToFileURL(inRoot('scripts/lib/bundle.mjs')).href);
  await bundle(
    folder,
    { gateway: 'services/gateway/src/main.ts', worker: 'services/worker/src/main.ts' },
    { replaced: { 'packages/admission/src/engines.ts': 'test/resilience/next-engines.ts' } },
  );
  return {
    fileOf: (name: 'gateway' | 'worker') => inRoot('dist', folder, `${name}.js`),
    remove: () => rmSync(inRoot('dist', folder), { recursive: true, force: true }),
  };
}
