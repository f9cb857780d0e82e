import t from 'tap';
import { namedServers } from '../src/dns/named-servers.js';

t.test('a verdict names at most four mail servers, and nothing that DNS made up', async (t) => {
  const cases: [string[], string][] = [
    [[], ''],
    [['mx1.bad.co.uk', 'mx2.bad.co.uk'], 'bad.co.uk mx1.bad.co.uk mx2.bad.co.uk'],
    [
      ['aspmx.l.google.com', 'alt1.aspmx.l.google.com', 'mx.own.org'],
      'google.com aspmx.l.google.com mx.own.org',
    ],
    [
      ['a.one.net', 'b.one.net', 'c.one.net', 'd.one.net', 'e.one.net'],
      'one.net a.one.net b.one.net c.one.net d.one.net',
    ],
    [['mx.a.net', 'mx.a.net'], 'a.net mx.a.net'],
    [['two words.net', 'new\nline.net', 'quo"te.net', 'é.net', 'localhost', '203.0.113.7', ''], ''],
    [[`${'x'.repeat(60)}.${'y'.repeat(60)}.mx.long.net`], `long.net ${'y'.repeat(60)}.mx.long.net`],
  ];
  for (const [hosts, want] of cases) t.equal(namedServers(hosts), want, hosts.join(' '));
});
