import { RESULT_COLUMNS } from '@verdict/contracts/jobs-api.js';
import type { BulkResultRow } from '@verdict/db/bulk/bulk-results.js';
import t from 'tap';
import { ourColumns, toNdjson } from '../src/jobs/result-writers.js';

const ROW: BulkResultRow = {
  ...{ row: 1, cells: '{}', error: null, decision: 'allow', risk_score: 0, log_id: 'log_1' },
  ...{ disposable_email: false, mx_valid: true, free_provider: false, reasons: [] },
};

t.test('a file whose columns are named like ours costs a download one look at their names', async (t) => {
  const taken = Array.from({ length: 250 }, (_, i) => `${'verdict_'.repeat(i)}decision`);
  let looks = 0;
  const columns = new Proxy(taken, {
    get(target, property) {
      if (property === Symbol.iterator) looks += 1;
      return Reflect.get(target, property);
    },
  });
  const names = ourColumns(columns);
  t.equal(names.decision, `${'verdict_'.repeat(250)}decision`);
  t.equal(new Set([...taken, ...Object.values(names)]).size, taken.length + RESULT_COLUMNS.length);
  const lines = Array.from({ length: 1_000 }, () => toNdjson(ROW, columns, names));
  t.equal(JSON.parse(lines[999] ?? '')[names.decision], 'allow');
  t.equal(looks, 1);
});
