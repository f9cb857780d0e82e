import { build } from '../scripts/lib/build.mjs';
import { install } from '../scripts/lib/install.mjs';
import { createProgress } from '../scripts/lib/progress.mjs';

/** `npm run bench`: installs and builds what the benchmark itself is made of, then runs it. */
const progress = createProgress();
await progress.step('dependencies', install);
await progress.step('build', build);
// The benchmark's own arguments are all that it sees.
const [name = 'run'] = process.argv.splice(2, 1);
await import(`./${name}.mjs`);
