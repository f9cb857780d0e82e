import t from 'tap';
import { networkOf, networkText } from '../src/policy/policy-network.js';

t.test('a network survives the text that jobs, rows and replay records hold', async (t) => {
  const cases = [
    [
      { kind: 'vpn', country: 'DE', asn: 64500 },
      { kind: 'vpn', country: 'DE', asn: 'AS64500' },
    ],
    [
      { kind: null, country: 'DE', asn: null },
      { kind: null, country: 'DE', asn: undefined },
    ],
    [
      { kind: null, country: null, asn: 64500 },
      { kind: null, country: undefined, asn: 'AS64500' },
    ],
    [
      { kind: 'tor', country: null, asn: null },
      { kind: 'tor', country: undefined, asn: undefined },
    ],
    [{ kind: null }, { kind: null, country: undefined, asn: undefined }],
  ] as const;
  for (const [found, read] of cases)
    t.strictSame(networkOf({ ip: '192.0.2.1', network: networkText(found) }), { ip: '192.0.2.1', ...read });
});

t.test('without an IP there is no network, and one that was not looked up is not known', async (t) => {
  t.strictSame(networkOf({ ip: null }), { kind: null });
  t.strictSame(networkOf({ ip: '192.0.2.1' }), { ip: '192.0.2.1' });
});
