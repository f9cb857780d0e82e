import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '@verdict/local-stack/program.js';
import t from 'tap';
import { startProcess } from '../../../scripts/lib/start-process.mjs';

const folder = mkdtempSync(join(tmpdir(), 'verdict-outcomes-'));
const file = join(folder, 'outcomes.csv');
const sent: { items: { id?: string; outcome: string }[] }[] = [];
const server = createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  const { items } = JSON.parse(body);
  sent.push({ items });
  const errors = items.flatMap(({ id }: { id?: string }, i: number) =>
    id === 'wrong' ? [{ item: i + 1, message: 'id: must be the log_id of a check' }] : [],
  );
  const recorded = items.length - errors.length;
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ success: true, recorded, unchanged: 0, errors }));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
t.teardown(() => server.close());

async function importing(text: string) {
  sent.length = 0;
  writeFileSync(file, text);
  const run = startProcess(process.execPath, [programFile('verdict'), 'outcomes', 'import', file], {
    PATH: process.env.PATH ?? '',
    VERDICT_DATA_DIR: folder,
    VERDICT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/`,
    VERDICT_API_KEY: 'a-key',
  });
  const { code } = await run.exited;
  return { code, output: run.output().trim() };
}

t.test('a file goes in requests of a thousand rows, and refused rows keep their number', async (t) => {
  const rows = Array.from({ length: 1_500 }, (_, n) =>
    n === 1_200 ? 'wrong,,abuse,' : `log_${n},,abuse,"a, b"`,
  );
  const { code, output } = await importing(
    `\uFEFFid,email,outcome,note\n${rows.join('\n')}\n,jane@example.org,bounced,\n`,
  );
  t.strictSame(
    sent.map(({ items }) => items.length),
    [1_000, 501],
  );
  t.match(sent[0]?.items[0], { id: 'log_0', outcome: 'abuse', note: 'a, b' });
  t.strictSame(sent[1]?.items.at(-1), { email: 'jane@example.org', outcome: 'bounced' });
  t.equal(output, 'row 1201: id: must be the log_id of a check\n1500 recorded, 0 unchanged, 1 refused');
  t.equal(code, 1, 'so that a script notices');
});

t.test('a file without the columns sends nothing', async (t) => {
  const { code, output } = await importing('address,result\na@b.example,bad\n');
  t.equal(code, 1);
  t.match(output, /needs a header with the columns id or email, and outcome/);
  t.equal(sent.length, 0);
});
