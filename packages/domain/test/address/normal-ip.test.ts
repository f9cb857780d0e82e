import t from 'tap';
import { normalIp } from '../../src/address/normal-ip.js';
import { parseIp } from '../../src/address/parse-ip.js';
import { spellingsOfIp } from '../../src/address/spellings-of-ip.js';

t.test('every spelling of a host has one normal form', async (t) => {
  for (const [text, normal] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:0201', '192.0.2.1'],
    ['2001:DB8:0::1', '2001:db8::1'],
  ] as const) {
    const parsed = parseIp(text);
    t.equal(parsed.ok && normalIp(parsed.ip), normal, text);
  }
});

t.test('a host is found by every spelling that it may be stored with', async (t) => {
  for (const text of ['192.0.2.1', '::ffff:192.0.2.1', '::FFFF:c000:0201']) {
    const parsed = parseIp(text);
    const spellings = parsed.ok ? spellingsOfIp(parsed.ip) : [];
    for (const stored of ['192.0.2.1', '::ffff:c000:201'])
      t.ok(spellings.includes(stored), `${text} ${stored}`);
  }
});
