import t from 'tap';
import { parseIpNetwork } from '../../src/address/ip-network.js';
import { networkAround } from '../../src/address/network-around.js';

t.test('every spelling of an IP lies in one network', async (t) => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    '203.0.113.0/24': ['203.0.113.7', '203.0.113.0', '::ffff:203.0.113.7', '::FFFF:cb00:7107'],
    '0.0.0.0/24': ['0.0.0.255'],
    '2001:db8:7::/48': ['2001:db8:7::1', '2001:DB8:7:ffff::', '2001:db8:7:0:0:0:0:1'],
  };
  for (const [network, addresses] of Object.entries(cases))
    for (const address of addresses) {
      t.equal(networkAround(address), network, address);
      t.equal(parseIpNetwork(network).ok, true);
    }
  for (const text of ['', 'localhost', '203.0.113', '203.0.113.7/24', 'fe80::1%eth0'])
    t.equal(networkAround(text), null, text);
});
