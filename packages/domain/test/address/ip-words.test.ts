import fc from 'fast-check';
import t from 'tap';
import { ipDigits } from '../../src/address/ip-network.js';
import { ipRange } from '../../src/address/ip-range.js';
import { ipWords } from '../../src/address/ip-words.js';
import { parseIp } from '../../src/address/parse-ip.js';

const words = new Uint32Array(4);
const digitsOf = (text: string): string => {
  const version = ipWords(text, words);
  const used = version === 0 ? 0 : version === 4 ? 1 : 4;
  return [...words.subarray(0, used)].map((word) => word.toString(16).padStart(8, '0')).join('');
};

t.test('addresses in their normal form are read as the library reads them', async (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (ip) => {
      const parsed = parseIp(ip);
      t.equal(parsed.ok && digitsOf(parsed.ip.canonical), ipDigits(ip), ip);
    }),
    { numRuns: 2_000 },
  );
  for (const ip of [
    '::',
    '::1',
    '1::',
    '2001:db8::1',
    '::ffff:192.0.2.1',
    '::ffff:c000:201',
    '64:ff9b::1.2.3.4',
  ])
    t.equal(digitsOf(ip), ipDigits(ip), ip);
});

t.test('text that is not an address has no version', async (t) => {
  for (const text of [
    '',
    '1.2.3',
    '1.2.3.4.5',
    '1.2.3.256',
    '1..2.3',
    '1.2.3.4 ',
    'a',
    ':',
    ':::',
    '1:2',
    '::1::',
  ])
    t.equal(ipWords(text, words), 0, text);
  for (const text of [
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '12345::',
    '::g',
    '1:2:3:4:5:6:7:',
    '::1.2.3',
  ])
    t.equal(ipWords(text, words), 0, text);
});

t.test('addresses in a row are a network where they are one', async (t) => {
  t.equal(ipRange(0x01020300n, 0x01020400n, 32), '1.2.3.0/24');
  t.equal(ipRange(0x01020300n, 0x01020301n, 32), '1.2.3.0/32');
  t.equal(ipRange(0x01020301n, 0x01020303n, 32), '1.2.3.1-1.2.3.2');
  t.equal(ipRange(0n, 1n << 128n, 128), '::/0');
});
