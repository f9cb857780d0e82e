import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import { SHIPPED_DIR } from '@verdict/datasets/shipped.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { countShare } from './count-share.js';
import { drawChart } from './draw-chart.js';
import { evaluateGenuine } from './evaluate-genuine.js';
import { evaluateHits } from './evaluate-hits.js';
import { evaluateLabels, readLabels } from './evaluate-labels.js';
import { evaluateNewNames } from './evaluate-new-names.js';
import { evaluateOtherRules } from './evaluate-other-rules.js';
import { evaluateRules } from './evaluate-rules.js';
import { evaluateTypos } from './evaluate-typos.js';
import { readGenuine } from './genuine-names.js';
import { personalNames } from './mailbox-names.js';
import { readHandLists } from './read-hand-lists.js';

const shipped = await loadDatasets(SHIPPED_DIR);
const { labels } = parseArgs({ options: { labels: { type: 'string' } } }).values;
// A customer's people belong into no file of ours.
if (labels === undefined) await evaluateAll();
else process.stdout.write(`${JSON.stringify(evaluateLabels(readLabels(labels), shipped), null, 2)}\n`);

async function evaluateAll(): Promise<void> {
  const handLists = readHandLists();
  const genuine = readGenuine();

  const newNames = await evaluateNewNames(shipped, handLists, genuine);
  const result = {
    new_names: newNames,
    genuine_names: await evaluateGenuine(shipped, genuine),
    typos: evaluateTypos(shipped),
    rules: evaluateRules(shipped, handLists, genuine),
    other_rules: evaluateOtherRules(shipped, genuine),
    hits: evaluateHits(shipped, genuine),
    persons_refused: countShare(personalNames(), (name) => !parseEmail(`${name}@acme.com`).ok),
  };

  const text = `${JSON.stringify(result, null, 2)}\n`;
  process.stdout.write(text);
  writeFileSync(inRoot('evaluation/results/eval.json'), text);
  writeFileSync(inRoot('docs/scoring-eval.svg'), drawChart(newNames));
}
