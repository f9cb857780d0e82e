import { ROW_CHARS_MAX } from '@verdict/contracts/jobs-api.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { residentBytes } from './resident-bytes.js';

/** Pages and downloads of rows as wide as a file may have them, in the memory of a container of 512 MB. */
const MB = 1024 * 1024;
const ROWS = 500;
const AT_ONCE = 8;

const stack = await startStack({
  workers: 0,
  env: { 'control-plane': { NODE_OPTIONS: '--max-old-space-size=256' } },
});
t.teardown(() => stack.stop());
const plane = stack.controlPlane;
const at = (path: string) => `${plane.url}/api/v1/jobs/${path}`;
const headers = { 'x-api-key': stack.apiKey };

interface Page {
  readonly results: readonly { readonly row: number }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

const rowOf = (i: number): string => {
  const open = `{"email":"p${i}@gmail.com","pad":"`;
  return `${open}${'漢'.repeat(ROW_CHARS_MAX - open.length - 2)}"}`;
};
const body = `${Array.from({ length: ROWS }, (_, i) => rowOf(i)).join('\n')}\n`;
const sent = await http<{ job: { id: string } }>(at(''), {
  headers: { ...headers, 'content-type': 'application/x-ndjson' },
  body,
});
if (sent.status !== 202) throw new Error(`the file was answered ${sent.status}: ${sent.text}`);
const { id } = sent.body.job;
await eventually(async () => {
  const { job } = (await http<{ job: { status: string } }>(at(`${id}/`), { headers })).body;
  return job.status === 'ready';
});

t.test('pages are cut by weight, and every row is on one', async (t) => {
  const rows: number[] = [];
  let cursor = '';
  do {
    const page = await http<Page>(at(`${id}/results/?limit=500${cursor}`), { headers });
    t.equal(page.status, 200);
    t.ok(page.text.length < 2 * MB, `${page.text.length} characters`);
    rows.push(...page.body.results.map(({ row }) => row));
    t.equal(page.body.has_more, page.body.next_cursor !== null);
    cursor = page.body.next_cursor === null ? '' : `&cursor=${page.body.next_cursor}`;
  } while (cursor !== '');
  t.strictSame(
    rows,
    Array.from({ length: ROWS }, (_, i) => i + 1),
  );
});

t.test('many pages and slow downloads at once leave a small control plane alive', async (t) => {
  const before = residentBytes(plane.pid);
  const slow = await Promise.all(
    Array.from({ length: AT_ONCE }, () => fetch(at(`${id}/results.csv`), { headers })),
  );
  for (let round = 0; round < 3; round++) {
    const pages = await Promise.all(
      Array.from({ length: AT_ONCE }, () => http(at(`${id}/results/?limit=500`), { headers })),
    );
    t.ok(pages.every(({ status }) => status === 200));
  }
  const grown = residentBytes(plane.pid) - before;
  t.comment(`${Math.round(grown / MB)} MB more`);
  t.ok(grown < 200 * MB);
  for (const { body: file } of slow) await file?.cancel();
  t.equal((await http(at(`${id}/`), { headers })).status, 200);
});
