// `npm test`: everything from install to the last line `N passed, N failed`. Old syntax for the same reason as start.mjs.
import { isNodeRecentEnough } from './lib/node-version.mjs';

if (isNodeRecentEnough()) {
  void import('./lib/test-command.mjs').then((command) => command.testCommand(process.argv.slice(2)));
} else {
  process.exitCode = 1;
}
