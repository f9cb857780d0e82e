// `npm test`: everything from install to the last line `N passed, N failed`. Old syntax for the same reason as start.mjs.
import { isNodeRecentEnough } from './lib/node-version.mjs';

if (isNodeRecentEnough()) {
  void import('./lib/launch.mjs').then(({ launchTests }) => launchTests(process.argv.slice(2)));
} else {
  process.exitCode = 1;
}
