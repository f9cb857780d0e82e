import { isIP } from 'node:net';
import fc from 'fast-check';
import t from 'tap';
import { parseIp } from '../../src/address/parse-ip.js';

t.test('every standard textual form is accepted and has one canonical spelling', async (t) => {
  const table: [string, 4 | 6, string][] = [
    ['203.0.113.7', 4, '203.0.113.7'],
    [' 0.0.0.0 ', 4, '0.0.0.0'],
    ['2001:DB8:0:0:0:0:0:1', 6, '2001:db8::1'],
    ['2001:0db8::0001', 6, '2001:db8::1'],
    ['::', 6, '::'],
    ['::1', 6, '::1'],
    ['::ffff:192.0.2.1', 6, '::ffff:c000:201'],
    ['64:ff9b::192.0.2.33', 6, '64:ff9b::c000:221'],
    ['1:2:3:4:5:6:7::', 6, '1:2:3:4:5:6:7:0'],
  ];
  for (const [text, version, canonical] of table) {
    const result = parseIp(text);
    t.same(result, { ok: true, ip: { text: text.trim(), version, canonical } }, text);
  }
});

t.test('zone ids, ports, masks, short and octal forms are refused', async (t) => {
  for (const text of [
    '',
    'localhost',
    'fe80::1%eth0',
    '203.0.113.7:443',
    '[::1]',
    '[::1]:443',
    '203.0.113.0/24',
    '2001:db8::/32',
    '1.2.3',
    '127.1',
    '2130706433',
    '0x7f000001',
    '010.0.0.1',
    '1.2.3.4.5',
    '256.1.1.1',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    '::ffff:010.0.0.1',
    '::1.2.3',
    '1.2.3.4::',
    'gggg::',
  ]) {
    const result = parseIp(text);
    t.equal(result.ok, false, JSON.stringify(text));
  }
});

t.test('agrees with Node on generated addresses and never throws', async () => {
  fc.assert(
    fc.property(fc.ipV4(), (text) => parseIp(text).ok),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(fc.ipV6(), (text) => {
      const result = parseIp(text);
      return result.ok === (isIP(text) === 6) && (!result.ok || isIP(result.ip.canonical) === 6);
    }),
    { numRuns: 2000 },
  );
  const near = fc.string({ unit: fc.constantFrom(...'0123456789abcdefx:.%[]/ '), maxLength: 50 });
  fc.assert(
    fc.property(near, (text) => !parseIp(text).ok || isIP(text.trim()) !== 0),
    { numRuns: 5000 },
  );
});
