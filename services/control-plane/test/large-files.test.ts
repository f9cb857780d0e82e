import t from 'tap';
import { openFile } from '../src/jobs/open-file.js';
import { importEntries } from '../src/lists/import-entries.js';

const ROWS = 20_000;
const BYTES_PER_TURN_MAX = 16 * 1024;
const ROWS_PER_TURN_MAX = 20;
const VALUES_PER_QUESTION_MAX = 500;

/** Counts the turns of the event loop until it is called. */
function countTurns(): () => number {
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    turns++;
    next = setImmediate(count).unref();
  };
  count();
  return () => {
    clearImmediate(next);
    return turns;
  };
}

for (const [format, line] of [
  ['csv', 'jörg@example.com,x'],
  ['ndjson', '{"email":"jörg@example.com"}'],
] as const) {
  t.test(`other requests run while a large file is parsed (${format})`, async (t) => {
    const bytes = Buffer.from(`${format === 'csv' ? 'email,more\n' : ''}${`${line}\n`.repeat(ROWS)}`);
    const turns = countTurns();
    let rows = 0;
    for await (const row of openFile([bytes], { format }).file.rows) {
      rows++;
      if (row.email !== 'jörg@example.com') throw new Error(`row ${rows} is ${row.cells}`);
    }
    const seen = turns();
    t.equal(rows, ROWS);
    t.ok(
      seen > bytes.length / BYTES_PER_TURN_MAX,
      `${seen} turns of the event loop for ${bytes.length} bytes`,
    );
  });
}

t.test(
  'other requests run while a large import is read, and entries that are listed are not added again',
  async (t) => {
    const rows = Array.from({ length: 10_000 }, (_, i) => `domain${i}.example`);
    const listed = (values: readonly string[]) =>
      values.map((value) => ({ list: 'block', match: 'exact', value }));
    let added = 0;
    let longest = 0;
    const lists = {
      standing: async (values: readonly string[]) => {
        longest = Math.max(longest, values.length);
        return listed(values);
      },
      add: async () => {
        added++;
      },
    };
    const turns = countTurns();
    const deps = { createId: (kind: string) => `${kind}_1` };
    const answer = await importEntries(
      deps as never,
      { keyCaller: { account: { lists } } } as never,
      'block',
      rows,
    );
    const seen = turns();
    t.match(answer, { added: 0, unchanged: rows.length, errors: [] });
    t.equal(added, 0);
    t.ok(seen > rows.length / ROWS_PER_TURN_MAX, `${seen} turns of the event loop`);
    t.ok(longest <= VALUES_PER_QUESTION_MAX, `${longest} values in one question to Postgres`);
  },
);

t.test('an import of more entries than the list may hold is refused before Postgres gets them', async (t) => {
  const rows = Array.from({ length: 1_001 }, (_, i) => `domain${i}.example`);
  let added = 0;
  const lists = {
    standing: async () => [],
    add: async () => {
      added++;
      return { rows: [] };
    },
  };
  const account = { lists, subscription: { plan: async () => 'free' } };
  const deps = {
    createId: (kind: string) => `${kind}_1`,
    plans: new Map([['free', { listEntries: 1_000, priceChanges: [] }]]),
    projectListsOrPending: async () => undefined,
  };
  const request = { keyCaller: { account, userId: 'usr_1' }, ip: '192.0.2.1', headers: {} };
  await t.rejects(importEntries(deps as never, request as never, 'block', rows), { code: 'invalid_request' });
  t.equal(added, 0);
});
