import t from 'tap';
import type { Logger } from '../src/logger.js';
import { createRefusalLog, type Refusal } from '../src/refusal-log.js';

interface Line {
  readonly level: string;
  readonly fields: Record<string, unknown>;
  readonly msg: string;
}

function setUp() {
  const lines: Line[] = [];
  const write = (level: string) => (fields: Record<string, unknown>, msg: string) =>
    void lines.push({ level, fields, msg });
  const log = { info: write('info'), error: write('error') } as unknown as Logger;
  return { lines, refusals: createRefusalLog(log) };
}

const refused = (change: Partial<Refusal> = {}): Refusal => ({
  requestId: 'req_1',
  status: 429,
  code: 'quota_exceeded',
  method: 'POST',
  path: '/api/v1/check/',
  route: '/api/v1/check/',
  client: '203.0.113.7',
  accountId: 'acc_1',
  keyId: 'key_1',
  detail: {},
  ...change,
});

t.test('thousands of the same refusal are two lines', async (t) => {
  const { lines, refusals } = setUp();
  for (let i = 0; i < 7_082; i++) refusals.note(refused({ requestId: `req_${i}` }));
  t.equal(lines.length, 1);
  refusals.flush();
  t.match(lines, [
    { level: 'info', msg: 'request refused', fields: { requestId: 'req_0', client: '203.0.113.7' } },
    { level: 'info', msg: 'requests refused the same way', fields: { likeRequestId: 'req_0', times: 7_081 } },
  ]);
  refusals.flush();
  t.equal(lines.length, 2, 'said once');
});

t.test('another client, key or code is another refusal', async (t) => {
  const { lines, refusals } = setUp();
  refusals.note(refused());
  refusals.note(refused({ client: '203.0.113.8' }));
  refusals.note(refused({ keyId: 'key_2' }));
  refusals.note(refused({ code: 'rate_limited' }));
  t.equal(lines.length, 4);
});

t.test('what fails on our side fails for everybody, and is an error with its cause', async (t) => {
  const { lines, refusals } = setUp();
  const cause = new Error('ECONNREFUSED');
  for (const client of ['203.0.113.7', '203.0.113.8']) {
    refusals.note(refused({ status: 503, code: 'unavailable', client, detail: { part: 'scoring' }, cause }));
  }
  refusals.note(refused({ status: 503, code: 'unavailable', detail: { part: 'admission' }, cause }));
  refusals.flush();
  t.match(lines, [
    { level: 'error', msg: 'request failed', fields: { part: 'scoring', err: cause } },
    { level: 'error', msg: 'request failed', fields: { part: 'admission' } },
    { level: 'error', msg: 'requests failed the same way', fields: { times: 1 } },
  ]);
});

t.test('whoever makes up clients fills neither the memory nor the log', async (t) => {
  const { lines, refusals } = setUp();
  for (let i = 0; i < 5_000; i++) refusals.note(refused({ client: `2001:db8::${i.toString(16)}` }));
  refusals.flush();
  t.ok(lines.length < 510, `${lines.length} lines`);
  const last = lines.at(-1);
  t.equal(last?.fields.times, 5_000 - 501, 'the rest is one line');
});
