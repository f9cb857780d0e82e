import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';

const root = inRoot();
const folder = inRoot('test/failure/mutants');
const names = readdirSync(folder).map((file) => file.replace(/\.patch$/, ''));
const readme = readFileSync(inRoot('test/failure/README.md'), 'utf8');
const hasGit = spawnSync('git', ['--version']).status === 0;

t.test(
  'every mutant still fits the code that it breaks',
  hasGit ? {} : { skip: 'no git here' },
  async (t) => {
    for (const name of names) {
      const file = join(folder, `${name}.patch`);
      const checked = spawnSync('git', ['apply', '--check', file], { cwd: root, encoding: 'utf8' });
      t.equal(checked.status, 0, `${name} ${checked.stderr}`);
    }
  },
);

t.test('every mutant says what its mistake is and which test sees it', async (t) => {
  for (const name of names) {
    const text = readFileSync(join(folder, `${name}.patch`), 'utf8');
    t.match(text, /^Mistake: .+\nSeen by: .+\n/, name);
  }
});

t.test('the page says of every mutant what it turned red', async (t) => {
  for (const name of names) t.match(readme, `| \`${name}\``);
});
