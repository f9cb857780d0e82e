// `npm run demo:month [folder]`: three month's ends of a dozen accounts in a database of their own, with invoices and
// reports to look at. Nothing of a running stack is touched.
import { isNodeRecentEnough } from './lib/node-version.mjs';

if (isNodeRecentEnough()) {
  // Servers and data beside those of a stack that may be running from this checkout.
  process.env.VERDICT_DATA_DIR = '.data/demo-month';
  void import('./lib/launch.mjs').then(({ launchRehearsal }) => launchRehearsal(process.argv.slice(2)));
} else {
  process.exitCode = 1;
}
