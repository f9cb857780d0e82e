import t from 'tap';
import { ipDigits, parseIpNetwork } from '../../src/address/ip-network.js';

const holds = (network: string, ip: string): boolean => {
  const parsed = parseIpNetwork(network);
  if (!parsed.ok) throw new Error(parsed.message);
  const { first, last } = parsed.network;
  const digits = ipDigits(ip);
  return digits.length === first.length && first <= digits && digits <= last;
};

t.test('a network is told by its first and last address, whatever its host bits said', async (t) => {
  const texts: [string, string][] = [
    ['203.0.113.7', '203.0.113.7/32'],
    ['203.0.113.77/24', '203.0.113.0/24'],
    ['10.255.255.255/9', '10.128.0.0/9'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::1', '2001:db8::1/128'],
    ['2001:db8:1:2:3::/33', '2001:db8::/33'],
    ['::/0', '::/0'],
    ['::ffff:10.1.2.3/104', '10.0.0.0/8'],
    ['::ffff:10.1.2.3', '10.1.2.3/32'],
  ];
  for (const [input, text] of texts) {
    const parsed = parseIpNetwork(` ${input} `);
    t.match(parsed, { ok: true, network: { text } }, input);
  }
});

t.test('it holds its edges and nothing beyond them', async (t) => {
  t.ok(holds('203.0.113.64/26', '203.0.113.64'));
  t.ok(holds('203.0.113.64/26', '203.0.113.127'));
  t.notOk(holds('203.0.113.64/26', '203.0.113.63'));
  t.notOk(holds('203.0.113.64/26', '203.0.113.128'));
  t.ok(holds('203.0.113.64/26', '::ffff:203.0.113.65'));
  t.ok(holds('2001:db8::/33', '2001:db8:7fff:ffff:ffff:ffff:ffff:ffff'));
  t.notOk(holds('2001:db8::/33', '2001:db8:8000::'));
  t.notOk(holds('::/0', '10.0.0.1'), 'all of IPv6 is none of IPv4');
  t.notOk(holds('0.0.0.0/0', 'unknown'));
});

t.test('what is no network is refused', async (t) => {
  for (const input of [
    '',
    '10.0.0.1/33',
    '10.0.0.1/-1',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    '10.0.0.1/x',
    '010.0.0.1',
    '10.1',
  ])
    t.equal(parseIpNetwork(input).ok, false, input);
  for (const input of ['::1/129', 'fe80::1%eth0/64', '::ffff:10.0.0.1/8', 'example.com'])
    t.equal(parseIpNetwork(input).ok, false, input);
});
