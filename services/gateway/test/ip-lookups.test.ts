import type { AccountStore } from '@verdict/redis-store/shards.js';
import t from 'tap';
import { createIpNetworks } from '../src/check/ip-networks.js';
import { createGatewayMetrics } from '../src/metrics.js';

const store = { redis: { hget: async () => null }, shards: 1 } as unknown as AccountStore;
const IPS = ['', '203.0.113.7'];

t.test('a failed look-up of IPs is counted, and the answer comes without networks', async (t) => {
  const { ipLookupFailures, registry } = createGatewayMetrics();
  const failed = () => ipLookupFailures.inc();
  const away = { ips: () => Promise.reject(new Error('no replica')) };
  const network = { kind: 'vpn' as const, country: 'NL', asn: 64500, organisation: 'Example B.V.' };
  const there = { ips: async () => ({ networks: [network] }) };
  const seen = async () => /^verdict_ip_lookup_failures_total\S* (\d+)/m.exec(await registry.metrics())?.[1];

  t.strictSame(await createIpNetworks(store, there, failed)('acc_1', IPS), [null, network]);
  t.equal(await createIpNetworks(store, away, failed)('acc_1', ['']), undefined, 'no IP, nothing to look up');
  t.equal(await seen(), '0');
  t.equal(await createIpNetworks(store, away, failed)('acc_1', IPS), undefined);
  t.equal(await seen(), '1');
});
