// `node scripts/lib/build-main.mjs NAME`: one of the builds below, unless nothing changed since; prints which it was.
import { buildDashboard, buildServices, buildStart, buildTools } from './build.mjs';

const BUILDS = {
  start: buildStart,
  services: buildServices,
  dashboard: buildDashboard,
  tools: () => buildTools('tools'),
  evaluation: () => buildTools('evaluation'),
};

try {
  process.stdout.write((await BUILDS[process.argv[2]]()) ? 'made' : 'up to date');
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
