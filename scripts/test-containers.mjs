// `npm run test:containers`: what `npm start` needs is not needed here, only a build and a Docker engine.
import { build } from './lib/build.mjs';
import { install } from './lib/install.mjs';

try {
  await install(() => undefined);
  await build(() => undefined);
  await import('../test/dist/containers/main.js');
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
