// `npm start`: the whole service on this machine, nothing needed but Node.
import './lib/node-version.mjs';

void import('./lib/launch.mjs').then(({ launchStart }) => launchStart(process.argv.slice(2)));
