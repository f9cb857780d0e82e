// `npm start`: the whole service on this machine, nothing needed but Node. This file and the version check keep
// to old syntax, so that an old Node reaches the sentence that says it is too old.
import { isNodeRecentEnough } from './lib/node-version.mjs';

if (isNodeRecentEnough()) {
  void import('./lib/launch.mjs').then(({ launchStart }) => launchStart(process.argv.slice(2)));
} else {
  process.exitCode = 1;
}
