import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import { SHIPPED_DIR } from '@verdict/datasets/shipped.js';
import t from 'tap';
import { evaluateLabels, readLabels } from '../src/evaluate-labels.js';

t.test('each weight is measured on the people that it hit', async (t) => {
  const file = join(t.testdir({}), 'checks.csv');
  const rows = [
    ...Array.from({ length: 40 }, (_, n) => `p${n}+x@gmail.com,${n < 10 ? 'genuine' : 'abuse'},,`),
    'a@mailinator.com,abuse,,',
    'b@mailinator.com,,,',
    ',genuine,,',
    'jane@acme.test,genuine,,"a, note"',
  ];
  writeFileSync(file, `email,outcome,tag,note\n${rows.join('\n')}\n`);
  const labels = readLabels(file);
  t.equal(labels.length, 42, 'rows without an address or an outcome are left out');
  const {
    labelled,
    weights,
    at_challenge_or_above: doubted,
  } = evaluateLabels(labels, await loadDatasets(SHIPPED_DIR));
  t.equal(labelled, 42);
  t.match(weights.PLUS_TAG, { genuine: { of: 40, share: 0.25, low: 0.1419, high: 0.4019 }, too_few: false });
  t.match(weights.DISPOSABLE_DOMAIN, { genuine: { of: 1, share: 0 }, too_few: true });
  t.equal(doubted.others.of, 31);
  writeFileSync(file, 'email,outcome\n');
  t.throws(() => readLabels(file), /no row/);
});
