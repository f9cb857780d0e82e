import t from 'tap';
import { bareIp, isIp } from '../src/usable-ip.js';

t.test('an IP address is told from what proxies write instead', async (t) => {
  for (const ip of ['203.0.113.7', '0.0.0.0', '::1', '2001:DB8::7', '::ffff:203.0.113.7']) t.ok(isIp(ip), ip);
  const others = ['unknown', '203.0.113.7:51234', '[2001:db8::7]', '[::1]:80', '203.0.113', '203.0.113.256'];
  for (const text of [...others, '1.2.3.04', 'fe80::1%eth0', ':::', '1:2', 'a@b', '', '_hidden'])
    t.notOk(isIp(text), text);
});

t.test('brackets and ports go, and nothing else', async (t) => {
  for (const [written, bare] of [
    ['203.0.113.7:51234', '203.0.113.7'],
    ['[2001:db8::7]:443', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['::1', '::1'],
    ['unknown', 'unknown'],
  ])
    t.equal(bareIp(written ?? ''), bare);
});
