// The last part of `pnpm build`: the files of the dashboard, unless they are there already.
import { buildDashboard } from './lib/build-dashboard.mjs';

try {
  await buildDashboard();
} catch (error) {
  process.exitCode = 1;
  console.error(error.message);
}
