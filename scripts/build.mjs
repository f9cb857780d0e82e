// `npm run build`: the bundles, their assets and the dashboard in `dist`.
import { buildDashboard, buildServices } from './lib/build.mjs';
import { install } from './lib/install.mjs';
import { orSay } from './lib/launch.mjs';

await orSay(async () => {
  await install('start', () => undefined);
  await Promise.all([buildServices(), buildDashboard()]);
});
