import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { findOriginsSwing } from '../src/ip-origins/find-origins-swing.js';
import { type OriginsHeader, SPACES } from '../src/ip-origins/ip-origins.js';
import { ORIGINS_FILE, readIpOrigins } from '../src/ip-origins/open-ip-origins.js';
import { readOriginRange } from '../src/ip-origins/origin-ranges.js';
import { packIpOrigins } from '../src/ip-origins/pack-ip-origins.js';
import { SHIPPED_DIR } from '../src/shipped.js';

const NOWHERE = { country: null, asn: null, organisation: null };
const ranges = (lines: readonly string[]) => lines.flatMap((line) => readOriginRange(line) ?? []);
const pack = (systems: readonly string[], countries: readonly string[]) =>
  packIpOrigins({
    asOf: { systems: '2026-06-17', countries: '2026-06-01' },
    systems: ranges(systems),
    countries: ranges(countries),
  });
const open = (systems: readonly string[], countries: readonly string[]) =>
  readIpOrigins(pack(systems, countries)).open();

t.test('a range holds from its first address to its last, in IPv4, IPv6 and mapped', async (t) => {
  const { originOf } = await open(
    ['8.8.4.0,8.8.4.255,15169,Google LLC', '2001:4860::,2001:4860:0:1:ffff:ffff:ffff:fffe,15169,Google LLC'],
    ['8.8.3.0,8.8.4.127,US', '2001:4860::5,2001:4860::9,CA'],
  );
  const google = { asn: 15169, organisation: 'Google LLC' };
  for (const before of ['', '::ffff:']) {
    t.same(originOf(`${before}8.8.2.255`), NOWHERE);
    t.same(originOf(`${before}8.8.3.0`), { ...NOWHERE, country: 'US' });
    t.same(originOf(`${before}8.8.3.255`), { ...NOWHERE, country: 'US' });
    t.same(originOf(`${before}8.8.4.0`), { ...google, country: 'US' });
    t.same(originOf(`${before}8.8.4.127`), { ...google, country: 'US' });
    t.same(originOf(`${before}8.8.4.128`), { ...google, country: null });
    t.same(originOf(`${before}8.8.4.255`), { ...google, country: null });
    t.same(originOf(`${before}8.8.5.0`), NOWHERE);
  }
  t.same(originOf('2001:485f:ffff:ffff:ffff:ffff:ffff:ffff'), NOWHERE);
  t.same(originOf('2001:4860::'), { ...google, country: null });
  t.same(originOf('2001:4860::4'), { ...google, country: null });
  t.same(originOf('2001:4860::5'), { ...google, country: 'CA' });
  t.same(originOf('2001:4860::9'), { ...google, country: 'CA' });
  t.same(originOf('2001:4860::a'), { ...google, country: null });
  t.same(originOf('2001:4860:0:1:ffff:ffff:ffff:fffe'), { ...google, country: null });
  t.same(originOf('2001:4860:0:1:ffff:ffff:ffff:ffff'), NOWHERE);
  t.same(originOf('not an IP'), NOWHERE);
});

t.test('reserved addresses belong nowhere, whatever a list says', async (t) => {
  const { originOf } = await open(
    ['0.0.0.0,255.255.255.255,64500,"All, Inc. ""of it"""', '::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,1,'],
    ['9.0.0.0,11.255.255.255,NL', '9.0.0.0,9.0.0.1,ZZ'],
  );
  for (const ip of ['10.0.0.0', '10.255.255.255', '192.168.1.1', '127.0.0.1', '::1', 'fe80::1', 'fd00::1'])
    t.same(originOf(ip), NOWHERE, ip);
  const all = { asn: 64500, organisation: 'All, Inc. "of it"' };
  t.same(originOf('9.255.255.255'), { ...all, country: 'NL' });
  t.same(originOf('11.0.0.0'), { ...all, country: 'NL' });
  t.same(originOf('223.255.255.255'), { ...all, country: null });
  t.same(originOf('2a00::1'), { country: null, asn: 1, organisation: null });
});

t.test('every address has the value of the first range that holds it', async () => {
  // All of 8.8.0.0/24 and as many IPv6 addresses, so that every boundary is asked for.
  const range = fc
    .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 5 }))
    .map(([first, more, value]) => ({ first, last: Math.min(255, first + more), value }));
  const list = fc.array(range, { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(list, list, async (systems, countries) => {
      const v4 = (host: number) => `8.8.0.${host}`;
      const v6 = (host: number) => `2001:4860:0:${host.toString(16)}::`;
      const spell = (each: typeof systems, ending: (value: number) => string) =>
        [v4, v6].flatMap((ip) =>
          each.map(({ first, last, value }) => `${ip(first)},${ip(last)},${ending(value)}`),
        );
      const { originOf } = await open(
        spell(systems, (value) => `${value},Org ${value}`),
        spell(countries, (value) => `A${'ABCDEF'[value]}`),
      );
      const naive = (each: typeof systems, host: number) =>
        each.toSorted((a, b) => a.first - b.first).find(({ first, last }) => host >= first && host <= last)
          ?.value;
      for (let host = 0; host < 256; host++) {
        const [system, country] = [naive(systems, host), naive(countries, host)];
        const expected = JSON.stringify({
          country: country === undefined ? null : `A${'ABCDEF'[country]}`,
          asn: system ?? null,
          organisation: system === undefined ? null : `Org ${system}`,
        });
        for (const ip of [v4(host), `::ffff:${v4(host)}`, v6(host)])
          if (JSON.stringify(originOf(ip)) !== expected) return false;
      }
      return JSON.stringify(originOf('8.8.1.0')) === JSON.stringify(NOWHERE);
    }),
    { numRuns: 60 },
  );
});

t.test('an emptied, cut or changed file is refused', async (t) => {
  const file = pack(['8.8.4.0,8.8.4.255,15169,Google LLC'], ['8.8.4.0,8.8.4.255,US']);
  t.throws(() => readIpOrigins(Buffer.alloc(0)), /another form/);
  t.throws(() => readIpOrigins(Buffer.from('8.8.4.0,8.8.4.255,US\n')), /another form/);
  for (const length of [file.length - 1, file.indexOf('\n') + 1])
    t.throws(() => readIpOrigins(file.subarray(0, length)), /cut off or changed/);
  const changed = Buffer.from(file);
  changed[file.length - 2] = (changed[file.length - 2] ?? 0) ^ 1;
  t.throws(() => readIpOrigins(changed), /cut off or changed/);
  t.equal(readOriginRange('8.8.4.0,2001:4860::,US'), undefined);
  t.equal(readOriginRange('8.8.4.9,8.8.4.0,US'), undefined);
  t.equal(readOriginRange('8.8.4.0'), undefined);
});

t.test('a file that covers a fifth fewer or more addresses is refused', async (t) => {
  const covering = (...covered: number[]) => ({ covered }) as unknown as OriginsHeader;
  const before = covering(100, 100, 100, 100);
  t.equal(findOriginsSwing(before, covering(80, 120, 100, 100)), undefined);
  t.match(findOriginsSwing(before, covering(79, 100, 100, 100)), /systems of IPv4 went from 100 to 79/);
  t.match(findOriginsSwing(before, covering(100, 100, 100, 121)), /countries of IPv6 went from 100 to 121/);
  const { header } = readIpOrigins(
    pack(['8.8.4.0,8.8.4.255,1,a', '2a00::,2a00:0:1:ffff:ffff:ffff:ffff:ffff,1,a'], []),
  );
  t.same(header.covered, [256, 2, 0, 0], 'IPv4 addresses, and IPv6 networks of /48');
});

t.test('the shipped file knows the Internet, and is small on disk and in memory', async (t) => {
  const path = join(SHIPPED_DIR, ORIGINS_FILE);
  const onDisk = statSync(path).size + statSync(join(SHIPPED_DIR, 'ip-networks.txt')).size;
  t.ok(onDisk < 6_000_000, `${onDisk} bytes of networks in the repository`);
  const { header, open } = readIpOrigins(readFileSync(path));
  // The packed bytes, the columns, and the end of each name.
  const inMemory = statSync(path).size + header.bytes + header.systems * 4;
  t.ok(inMemory < 30_000_000, `${inMemory} bytes in memory`);
  t.same(header.as_of, { systems: '2026-06-17', countries: '2026-06-01' });
  t.equal(header.covered.length, SPACES.length);
  t.ok((header.covered[0] ?? 0) > 3_000_000_000, 'announced IPv4 addresses');
  const { originOf } = await open();
  t.same(originOf('8.8.8.8'), { country: 'US', asn: 15169, organisation: 'Google LLC' });
  t.match(originOf('193.0.6.139'), { country: 'NL', asn: 3333 });
  t.match(originOf('2001:67c:2e8:22::c100:68b'), { country: 'NL', asn: 3333 });
  for (const ip of ['10.1.2.3', '192.168.0.1', '203.0.113.7', '::1', 'fe80::1'])
    t.same(originOf(ip), NOWHERE);
});
