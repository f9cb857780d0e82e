import { readFileSync } from 'node:fs';
import { buildEstablishedSites } from '@verdict/datasets/build/build-established-sites.js';
import { buildMailHosts } from '@verdict/datasets/build/build-mail-hosts.js';
import { readHandList } from '@verdict/datasets/build/read-hand-list.js';
import { createDomainTable } from '@verdict/datasets/domain-table.js';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import { isSharedHost } from '@verdict/datasets/mail-hosts.js';
import { neverDisposable } from '@verdict/datasets/never-disposable.js';
import { readMailHosts } from '@verdict/datasets/read-mail-hosts.js';
import { LISTS_DIR, SHIPPED_DIR } from '@verdict/datasets/shipped.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';
import { mailAt } from '../src/dns/mail-outcome.js';
import { imitatedBrands } from '../src/names/imitated-brands.js';
import { judgeDomain } from '../src/score/judge-domain.js';
import { readDomain } from '../src/score/read-domain.js';
import { readAgreedProviders } from './support/read-agreed-providers.js';

const datasets = await loadDatasets(SHIPPED_DIR);
const factsOf = (domain: string) => readDomain(domain, domain, datasets);

t.test('a mail host that honest mail shares stops the build', async (t) => {
  for (const host of [
    'route1.mx.cloudflare.net',
    'registrar-servers.com',
    'privateemail.com',
    'jellyfish.systems',
    'park-mx.above.com',
    'simplelogin.co',
    'anonaddy.me',
    'aspmx.l.google.com',
  ]) {
    t.ok(isSharedHost(host), host);
    t.throws(() => buildMailHosts([`${host} fleet 9/9`], new Set()), new RegExp(host.replaceAll('.', '\\.')));
  }
  t.throws(() => buildMailHosts(['gmail.com fleet 9/9'], new Set(['gmail.com'])), /gmail\.com/);
  t.throws(() => buildMailHosts(['trash.com often'], new Set()), /malformed/);
  t.throws(() => readMailHosts(['trash.com fleet 9/9']), /malformed/);
});

t.test('every mail host of the hand list has a tier and its evidence', async (t) => {
  for (const line of readHandList(LISTS_DIR, 'disposable-mail-hosts')) {
    t.match(line, /^[a-z0-9.-]+\.[a-z]+ (?:fleet|reported) \S+$/, line);
  }
  t.ok(datasets.disposableMailHosts.size >= 25);
  t.ok(datasets.disposableMailAddresses.size >= 9);
});

t.test('of a web ranking the names under risky endings are kept', async (t) => {
  const kept = buildEstablishedSites(
    ['www.bakery.shop', 'acme.com', 'Cafe.Online', 'x.my.id', 'shop'],
    datasets.riskyEndings,
  );
  t.same(kept.sort(), ['bakery.shop 1', 'cafe.online 1', 'x.my.id 1']);
});

t.test(
  'with a web ranking an ending is a challenge, unless the site is known or the mailbox paid for',
  async (t) => {
    const ranked = { ...datasets, establishedSites: createDomainTable(Buffer.from('bakery.shop 1\n')) };
    const codes = (domain: string, host: string) =>
      judgeDomain(readDomain(domain, domain, ranked), mailAt(host)).found.map(
        ({ signal }) => `${signal.code} ${signal.points}`,
      );
    t.same(codes('bakery.shop', 'mx.hoster.com'), []);
    t.same(codes('mail.bakery.shop', 'mx.hoster.com'), [], 'nor below it');
    t.same(codes('qwfp123.shop', 'mx.hoster.com'), ['UNESTABLISHED_RISKY_ENDING 35']);
    t.same(codes('qwfp123.shop', 'aspmx.l.google.com'), []);
    t.same(codes('qwfp123.com', 'mx.hoster.com'), []);
  },
);

t.test('no provider that two published lists agree on is called disposable or mistyped', async (t) => {
  const providers = readAgreedProviders();
  t.ok(providers.length > 3_000, `${providers.length} providers`);
  // Throw-away services that both lists took for providers, and a typing error.
  const known = new Set(
    readFileSync(inRoot('services/scoring/test/fixtures/not-providers.txt'), 'utf8').trim().split('\n'),
  );
  const disposable = providers.filter((domain) => factsOf(domain).disposable !== undefined);
  t.same(
    disposable.filter((domain) => !known.has(domain)),
    [],
  );
  const mistyped = providers.filter((domain) => factsOf(domain).typo !== undefined);
  t.same(
    mistyped.filter((domain) => !known.has(domain)),
    [],
  );
});

t.test(
  'the never-list holds the providers of the world, and none of them costs more than being free',
  async (t) => {
    t.ok(neverDisposable.length >= 220, `${neverDisposable.length} names`);
    for (const domain of neverDisposable) {
      const { facts, found } = judgeDomain(factsOf(domain), undefined);
      t.same(
        found.filter(({ signal }) => signal.kind === 'hard'),
        [],
        domain,
      );
      t.same([facts.typo, facts.disposable], [undefined, undefined], domain);
    }
    t.ok(imitatedBrands.length >= 200, `${imitatedBrands.length} brands`);
  },
);
