import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IP_KINDS, type IpKind } from '@verdict/contracts/ip-network.js';
import fc from 'fast-check';
import t from 'tap';
import { buildIpNetworks } from '../src/build/build-ip-networks.js';
import { createIpNetworks } from '../src/ip-networks.js';
import { loadDatasets } from '../src/load-datasets.js';
import { SHIPPED_DIR } from '../src/shipped.js';
import { checkNetworks } from '../src/sources/check-networks.js';
import type { ListedSource } from '../src/sources/source.js';
import { updateDatasets } from '../src/update/update-datasets.js';
import { startListServer } from './support/list-server.js';
import { asLines, makeSmallWorld, names, urlSource } from './support/small-world.js';

const build = (marked: Partial<Record<IpKind, string[]>>) =>
  createIpNetworks(
    buildIpNetworks(Object.entries(marked).map(([kind, names]) => ({ kind: kind as IpKind, names }))),
  );

t.test('every address has the kind of the first list that holds it', async () => {
  // All of 8.8.0.0/24, so that every boundary is asked for.
  const network = fc
    .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 24, max: 32 }))
    .map(([host, length]) => ({ first: host - (host % 2 ** (32 - length)), length }));
  const lists = fc.record(
    Object.fromEntries(IP_KINDS.map((kind) => [kind, fc.array(network, { minLength: 1, maxLength: 5 })])),
  );
  fc.assert(
    fc.property(lists, (marked) => {
      const spell = (wide: boolean) =>
        build(
          Object.fromEntries(
            Object.entries(marked).map(([kind, each]) => [
              kind,
              each.map(({ first, length }) =>
                wide ? `2001:4860::${first.toString(16)}/${length + 96}` : `8.8.0.${first}/${length}`,
              ),
            ]),
          ),
        );
      const [v4, v6] = [spell(false), spell(true)];
      for (let host = 0; host < 256; host++) {
        const expected =
          IP_KINDS.find((kind) =>
            marked[kind]?.some(({ first, length }) => host >= first && host < first + 2 ** (32 - length)),
          ) ?? null;
        if (v4.kindOf(`8.8.0.${host}`) !== expected) return false;
        if (v4.kindOf(`::ffff:8.8.0.${host}`) !== expected) return false;
        if (v6.kindOf(`2001:4860::${host.toString(16)}`) !== expected) return false;
      }
      return v4.kindOf('8.7.255.255') === null && v4.kindOf('8.8.1.0') === null && v4.kindOf('none') === null;
    }),
    { numRuns: 60 },
  );
});

t.test('relays are taken from the VPNs, reserved networks from all, and no relays are refused', async (t) => {
  const networks = build({
    relay: ['104.28.28.0/26,US,US-CA,Los Angeles,'],
    vpn: ['104.28.28.0/24', '192.168.0.0/16', 'not a network'],
  });
  t.equal(networks.kindOf('104.28.28.63'), 'relay');
  t.equal(networks.kindOf('104.28.28.64'), 'vpn');
  t.equal(networks.kindOf('192.168.1.1'), null);
  t.equal(networks.size, 2);
  t.throws(() => build({ vpn: ['104.28.28.0/24'] }), /no private relay is known/);
  t.throws(() => build({ relay: [], hosting: ['104.28.28.0/24'] }), /no private relay is known/);
  t.equal(build({ tor: ['104.28.28.1'] }).kindOf('104.28.28.1'), 'tor', 'Tor needs none');
  t.throws(() => createIpNetworks(['8.8.8.0/24 cloud']), /is malformed/);
  t.throws(() => createIpNetworks(['8.8.8/24 vpn']), /is malformed/);
});

t.test('a list that is broken or covers too much is refused', async (t) => {
  t.equal(checkNetworks('vpn', ['8.8.8.0/24', '2001:4860::/32']), undefined);
  t.match(checkNetworks('vpn', ['8.8.8.0/24', '<html>']), /1 of 2 entries are not networks/);
  t.match(checkNetworks('vpn', ['8.0.0.0/7']), /covers 33554432 IPv4 addresses, more than 0.5 %/);
  t.match(checkNetworks('tor', ['8.0.0.0/12']), /more than 0.01 %/);
  t.equal(checkNetworks('hosting', ['8.0.0.0/7']), undefined);
  t.match(checkNetworks('hosting', ['2000::/3']), /lists 2000::\/3, which is too wide/);
});

t.test('the shipped networks load, and call no private relay a VPN', async (t) => {
  const { ipNetworks } = await loadDatasets(SHIPPED_DIR, { namesChecked: true });
  const text = readFileSync(join(SHIPPED_DIR, 'ip-networks.txt'), 'utf8');
  t.ok(text.length < 6_000_000, 'small enough to live in the repository');
  t.ok(ipNetworks.size > 40_000, `${ipNetworks.size} networks`);
  t.equal(ipNetworks.kindOf('104.28.28.1'), 'relay', 'in the list of VPNs, too');
  t.equal(ipNetworks.kindOf('1.12.0.0'), 'hosting');
  t.equal(ipNetworks.kindOf('1.11.255.255'), null);
  t.equal(ipNetworks.kindOf('203.0.113.7'), null, 'reserved for documentation');
});

t.test('an update brings networks; without relays it is refused and the last ones stay', async (t) => {
  const server = await startListServer();
  t.teardown(() => server.close());
  const source = (name: string, marks: IpKind): ListedSource => {
    const { tier: _none, ...listed } = urlSource(name, `${server.url}/${name}`, {
      feeds: 'ip_networks',
      marks,
    });
    return listed;
  };
  const trash = urlSource('trash', `${server.url}/trash`, { version: '1.0.0' });
  server.serve('/trash', asLines(names()));
  const sources = [source('relays', 'relay'), source('vpns', 'vpn'), trash];
  const { options, directory } = makeSmallWorld(t, sources);
  server.serve('/vpns', '104.28.28.0/24\n');
  server.serve('/relays', '');
  t.match(await updateDatasets(options), {
    outcome: 'refused',
    reason: /no private relay is known/,
    sources: [{ source: 'relays', reason: 'it holds no names' }, { result: 'changed' }],
  });
  server.serve('/relays', '104.28.28.0/26\n');
  const { outcome, release } = await updateDatasets(options);
  t.equal(outcome, 'published');
  server.serve('/relays', '');
  server.serve('/vpns', '0.0.0.0/0\n');
  t.match(await updateDatasets(options), {
    outcome: 'unchanged',
    sources: [{ result: 'failed' }, { result: 'failed', reason: /covers/ }],
  });
  const { ipNetworks } = await loadDatasets(join(directory, 'releases', release ?? ''));
  t.equal(ipNetworks.kindOf('104.28.28.1'), 'relay');
  t.equal(ipNetworks.kindOf('104.28.28.255'), 'vpn');
});
