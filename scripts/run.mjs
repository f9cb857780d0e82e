// `node scripts/run.mjs FILE ...`: a benchmark or another tool of the checkout, with everything that it needs.
import { launchTool } from './lib/launch.mjs';

const [file, ...argv] = process.argv.slice(2);
await launchTool(file, argv);
