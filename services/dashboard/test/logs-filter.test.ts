import t from 'tap';
import { logsFilter, soughtIn } from '../src/pages/logs/logs-filter.ts';

const NOW = Date.parse('2026-11-16T10:20:30Z');
const ULID = '01K8YJ3T9GQ0VZ4M5N6P7R8S9T';

t.test('the search box tells addresses, domains, IPs and ids apart', async (t) => {
  for (const [text, filter] of [
    ['', {}],
    ['Jane@Example.com', { email: 'Jane@Example.com' }],
    ['maria', { begins: 'maria' }],
    ['maria.keller', { begins: 'maria.keller' }],
    ['maria@gm', { begins: 'maria@gm' }],
    ['@gm', { begins: '@gm' }],
    ['jane@', { begins: 'jane@' }],
    ['12345', { begins: '12345' }],
    ['mailinator.com', { begins: 'mailinator.com' }],
    ['@mailinator.com', { domain: 'mailinator.com' }],
    ['@bücher.example', { domain: 'bücher.example' }],
    ['5.9', { network: '5.9.0.0/16' }],
    ['5.9.12.', { network: '5.9.12.0/24' }],
    ['5.9.12.0/22', { network: '5.9.12.0/22' }],
    ['2001:db8::/32', { network: '2001:db8::/32' }],
    ['AS24940', { asn: 'AS24940' }],
    ['203.0.113.7', { ip: '203.0.113.7' }],
    ['2001:db8::1', { ip: '2001:db8::1' }],
    ['mailbox:B.ob@gmail.com', { mailbox: 'B.ob@gmail.com' }],
    [`mailbox: log_${ULID}`, { mailbox: `log_${ULID}` }],
    [`req_${ULID}`, { request_id: `req_${ULID}` }],
  ] as const) {
    t.strictSame(soughtIn(text), { filter }, text);
  }
  t.strictSame(soughtIn(`log_${ULID}`), { filter: {}, log: `log_${ULID}` });
});

t.test('the link of a rule asks for the checks that it decided', async (t) => {
  t.strictSame(logsFilter({ rule: 'A & b', range: '7d' }, NOW), {
    rule: 'A & b',
    from: '2026-11-09T10:20:00.000Z',
  });
});

t.test('what is typed half is a hint and filters nothing', async (t) => {
  for (const [text, kind] of [
    ['@', 'wholeAddress'],
    ['jane doe@example.com', 'noSpaces'],
    ['mailbox:jane@', 'wholeAddress'],
    ['mailbox:example.com', 'wholeAddress'],
    ['203.0.113.7.8', 'wholeIp'],
    ['jane/doe', 'wholeIp'],
    ['2001:db8', 'wholeIp'],
    ['log_01K8', 'wholeId'],
    ['req_', 'wholeId'],
    ['vrd_live_4Q8Z', 'wholeId'],
  ] as const) {
    t.strictSame(soughtIn(text), { filter: {}, hint: kind }, text);
  }
});

t.test('a range begins at a whole minute, and the last day is included', async (t) => {
  t.strictSame(logsFilter({ range: '1h' }, NOW), { from: '2026-11-16T09:20:00.000Z' });
  t.strictSame(logsFilter({ from: '2026-11-01', to: '2026-11-02' }, NOW), {
    from: '2026-11-01T00:00:00Z',
    to: '2026-11-03T00:00:00.000Z',
  });
  t.strictSame(
    logsFilter({ from: 'yesterday', to: '2026-13-40' }, NOW),
    {},
    'a day that is none is left out',
  );
  t.strictSame(logsFilter({ from: '2026-11-01T09', to: '2026-11-01T09' }, NOW), {
    from: '2026-11-01T09:00:00.000Z',
    to: '2026-11-01T10:00:00.000Z',
  });
  t.strictSame(logsFilter({ q: ' @mailinator.com ', decision: 'block', key: 'key_1', mode: 'test' }, NOW), {
    domain: 'mailinator.com',
    decision: 'block',
    key_id: 'key_1',
    mode: 'test',
  });
});

t.test('a link may name its checks', async (t) => {
  const ids = `log_${ULID},log_${ULID}`;
  t.strictSame(logsFilter({ ids, decision: 'block' }, NOW), { decision: 'block', ids });
});
