import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';
import { driveTypeScript } from '../src/drive-typescript.js';
import { readCases } from '../src/read-cases.js';
import { runSuite } from '../src/run-suite.js';

const folder = t.testdir();
const drive = driveTypeScript((text) => {
  const path = join(folder, 'people.csv');
  writeFileSync(path, text);
  return path;
});

for (const { subject, cases } of readCases(inRoot('packages/sdk-conformance/data'))) {
  t.test(`the TypeScript client, ${subject}`, async (t) => {
    for (const [name, wrong] of await runSuite(cases, drive)) t.strictSame(wrong, [], name);
  });
}
