import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ENGINE } from '@verdict/admission/engine.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';
import { readSources } from './source-files.js';

/** The files that can change the decision, score, rule or reasons of a check that a step granted. */
const TEXTS = [
  'packages/admission/src/judge.ts',
  'packages/domain/src/account-list.ts',
  'packages/domain/src/address/domain-shape.ts',
  'packages/domain/src/address/network-around.ts',
  'packages/domain/src/burst-rules.ts',
  'packages/domain/src/decision.ts',
  'packages/domain/src/mail-servers.ts',
  'packages/domain/src/policy/apply-policy.ts',
  'packages/domain/src/policy/compile-policy.ts',
  'packages/domain/src/policy/policy-network.ts',
];

/** Of each engine, the hash of these texts. */
const HASHES: Readonly<Record<number, string>> = {
  3: 'a1c541610d2c40ef',
};

t.test("the text of the rules' engine is the text of its number", async (t) => {
  const hash = createHash('sha256');
  for (const file of TEXTS) hash.update(readFileSync(inRoot(file)));
  t.equal(
    hash.digest('hex').slice(0, 16),
    HASHES[ENGINE],
    `The rules' engine ${ENGINE} has another text. If every check is judged as before, write the new hash down here. Otherwise keep \
the old text beside the new one, list both in packages/admission/src/engines.ts; delete the old one when its \
queue is empty and its replay records, which live for a day, are gone.`,
  );
});

t.test('nothing applies rules beside the engine', async (t) => {
  const applying = readSources().filter(
    ({ path, text }) => !TEXTS.includes(path) && /\bapplyPolicy\b/.test(text),
  );
  t.strictSame(
    applying.map(({ path }) => path),
    [],
    'ask judgeNew, judgeStored or judgeNow',
  );
});
