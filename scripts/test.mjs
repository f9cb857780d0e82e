// `npm test`: everything from install to the last line `N passed, N failed`.
import './lib/node-version.mjs';

const command = 'packages/local-stack/src/test-command.ts';
void import('./lib/launch.mjs').then(({ launchTool }) =>
  launchTool(command, process.argv.slice(2), '\n0 passed, 1 failed'),
);
