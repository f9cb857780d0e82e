import type { Verdict } from '@verdict/contracts/verdict.js';
import { startDnsServer, type Zone } from '@verdict/local-stack/start-dns-server.js';
import t from 'tap';
import { startScoring } from './support/scoring-service.js';

const mx = (host: string) => ({ mx: [[10, host]] as const });
const zone: Zone = { 'canary.net': mx('mx.canary.net') };
const dns = await startDnsServer(zone);
const scoring = await startScoring({
  DNS_SERVERS: dns.address,
  DNS_CANARY: 'canary.net',
  DNS_DEADLINE_MS: '20000',
  DATASETS_POLL_MS: '600000',
});
t.teardown(async () => {
  await scoring.close();
  await dns.close();
});

t.test('providers that lists once named are nobody’s throw-away service', async (t) => {
  const providers =
    '21cn.com sify.com yandex.net forwardemail.net improvmx.com poczta.pl lavabit.com sdf.org craigslist.org hola.org hidemyass.com mamba.ru ibibo.com'.split(
      ' ',
    );
  for (const line of await judge(providers)) {
    t.equal(line.signals.disposable_email, false, line.domain);
    t.ok(line.risk_score < 30, `${line.domain}: ${line.risk_score}`);
  }
});

t.test(
  'a slip of a big provider is asked about, whatever the lists say, and never turned away',
  async (t) => {
    const slips: Record<string, string> = {
      'gmial.com': 'gmail.com',
      'hotmial.com': 'hotmail.com',
      'hotmai.com': 'hotmail.com',
      'egmail.com': 'gmail.com',
      'pronton.me': 'proton.me',
      'ncomcast.net': 'comcast.net',
      'urk.net': 'ukr.net',
      'gmail.co.uk': 'gmail.com',
      'gmail.de': 'gmail.com',
      'gmail.fr': 'gmail.com',
      'liberi.it': 'libero.it',
      'virgillio.it': 'virgilio.it',
      'tiscalli.it': 'tiscali.it',
      'ornage.fr': 'orange.fr',
      'telenett.be': 'telenet.be',
      'postteo.de': 'posteo.de',
      'mailbx.org': 'mailbox.org',
      'hanmial.net': 'hanmail.net',
      'docmo.ne.jp': 'docomo.ne.jp',
      'bigpnod.com': 'bigpond.com',
      'optusnt.com.au': 'optusnet.com.au',
      'talktlak.net': 'talktalk.net',
      'sympatcio.ca': 'sympatico.ca',
      'hotmial.es': 'hotmail.es',
      'yahooo.com.br': 'yahoo.com.br',
      'outlok.fr': 'outlook.fr',
    };
    for (const line of await judge(Object.keys(slips))) {
      t.equal(line.extra.suggestion, `jane@${slips[line.domain]}`, line.domain);
      t.equal(text(line), 'LIKELY_TYPO 35', line.domain);
      t.equal(line.signals.disposable_email, false);
    }
    const { lines } = await scoring.score('jane@gmsil.com');
    t.equal(
      text(lines[0]),
      'DOMAIN_NOT_FOUND 79, LIKELY_TYPO 0',
      'at most review, though no mail can arrive',
    );
  },
);

t.test('a slip that a crawler has just seen at a throw-away service is what the crawler says', async (t) => {
  const datasets = scoring.deps.datasets.current();
  t.ok(datasets.freshlyCrawled.size > 100);
  const unlisted = [...datasets.freshlyCrawled].filter((name) => !datasets.disposable.find(name));
  t.strictSame(unlisted.slice(0, 5), [], `${unlisted.length} are not on the list`);
});

t.test('a wrong ending is counted once', async (t) => {
  zone['gmail.con'] = { behaviour: 'servfail' };
  zone['gmail.co'] = { behaviour: 'servfail' };
  const { lines } = await scoring.score('a@gmail.con', 'a@gmail.co');
  t.equal(text(lines[0]), 'LIKELY_TYPO 35, DNS_INDETERMINATE 10');
  t.equal(text(lines[1]), 'LIKELY_TYPO 35, DNS_INDETERMINATE 10');
});

t.test('two meanings are no suggestion', async (t) => {
  const [line] = await judge(['hotmail.ed']);
  t.equal(line?.extra.suggestion, null, 'hotmail.de or hotmail.es');
});

t.test('addresses that nobody reads say so in their domain', async (t) => {
  const lines = await judge([
    'users.noreply.github.com',
    'no-reply.acme-widgets.com',
    'reply.acme-widgets.com',
  ]);
  t.equal(text(lines[0]), 'NO_REPLY 35');
  t.equal(lines[0]?.factors[0]?.reason, 'No-reply domain');
  t.equal(lines[0]?.extra.no_reply, true);
  t.equal(text(lines[1]), 'NO_REPLY 35');
  t.equal(text(lines[2]), '');
  zone['noreply.acme-widgets.com'] = mx('mx.acme-widgets.com');
  const { lines: twice } = await scoring.score('noreply@noreply.acme-widgets.com');
  t.equal(text(twice[0]), 'NO_REPLY 35', 'said twice, counted once');
});

t.test('foreign letters that draw a brand are a homograph, accents are spelling', async (t) => {
  const drawn: Record<string, string> = {
    'mісrosoft.com': 'microsoft.com',
    'аррӏе.com': 'apple.com',
    'аррӏе.net': 'apple.com',
    'gооgle.com': 'google.com',
    'раypal.com': 'paypal.com',
    'fасebook.com': 'facebook.com',
    'nеtflix.com': 'netflix.com',
    'gmaïl.com': 'gmail.com',
  };
  const { lines } = await scoring.score(...Object.keys(drawn).map((domain) => `jane@${domain}`));
  Object.entries(drawn).forEach(([domain, brand], index) => {
    const line = lines[index];
    t.ok(
      line?.factors.some(({ code }) => code === 'HOMOGRAPH'),
      domain,
    );
    t.equal(line?.extra.suggestion, `jane@${brand}`);
  });
  for (const domain of ['chäse.ch', 'müller.de', 'пример.рф', 'новости.com']) {
    zone[new URL(`http://${domain}`).hostname] = mx('mx.acme-widgets.com');
    const { lines: honest } = await scoring.score(`jane@${domain}`);
    t.equal(honest[0]?.risk_score, 0, domain);
  }
});

t.test('role and no-reply words are known in twenty languages', async (t) => {
  const roles =
    'info kontakt rechnung comptabilite contacto ventas assistenza atendimento klantenservice biuro objednavky ugyfelszolgalat vanzari podderzhka поддержка epikoinonia destek kundservice asiakaspalvelu toiawase kefu penjualan lienhe sampark'.split(
      ' ',
    );
  const unread =
    'noreply no-reply nicht-antworten ne-pas-repondre no-responder non-rispondere nao-responda niet-beantwoorden nie-odpowiadaj neodpovidat ne-otvechat svara-inte svar-ikke ei-vastausta cevaplamayiniz jangan-balas'.split(
      ' ',
    );
  zone['acme-widgets.com'] = mx('mx.acme-widgets.com');
  const { lines } = await scoring.score(...[...roles, ...unread].map((name) => `${name}@acme-widgets.com`));
  roles.forEach((name, index) => {
    t.equal(lines[index]?.extra.role_account, true, name);
  });
  unread.forEach((name, index) => {
    t.equal(lines[roles.length + index]?.extra.no_reply, true, name);
  });
});

t.test('a front is known by the server or the address that receives its mail', async (t) => {
  const fronts: [string, Zone[string], string][] = [
    ['front-one.com', mx('mail.beavis99.com'), 'DISPOSABLE_MX 85'],
    ['front-two.com', mx('mx.tinyhost.shop'), 'DISPOSABLE_MX 85'],
    ['front-three.com', mx('hi.mail.cx'), 'DISPOSABLE_MX_SINGLE_SOURCE 60'],
    ['honest-mail-cx.com', mx('www.mail.cx'), ''],
    ['front-four.com', mx('mx.paragonmaps.net'), 'DISPOSABLE_MX_SINGLE_SOURCE 60'],
    ['front-five.com', mx('mail.front-five.com'), 'DISPOSABLE_MX_SINGLE_SOURCE 60'],
    ['honest-six.com', mx('mail.honest-six.com'), ''],
    ['honest-seven.com', mx('mx1.simplelogin.co'), ''],
    ['honest-eight.com', mx('eforward1.registrar-servers.com'), ''],
  ];
  zone['mail.front-five.com'] = { a: ['78.47.124.133'] };
  zone['mail.honest-six.com'] = { a: ['192.0.43.10'] };
  for (const [domain, entry] of fronts) zone[domain] = entry ?? {};
  const { lines } = await scoring.score(...fronts.map(([domain]) => `jane@${domain}`));
  fronts.forEach(([domain, , expected], index) => {
    t.equal(text(lines[index]), expected, domain);
    t.equal(lines[index]?.signals.disposable_email, expected !== '', domain);
  });
});

t.test('an ending is a hint, and none at all where the mailbox is paid for', async (t) => {
  zone['bakery.shop'] = mx('mx.bakery.shop');
  zone['mx.bakery.shop'] = { a: ['192.0.43.11'] };
  zone['florist.shop'] = mx('aspmx.l.google.com');
  zone['florist.xyz'] = mx('mx.acme-widgets.com');
  zone['gift.kro.kr'] = mx('mx.acme-widgets.com');
  const { lines } = await scoring.score(
    'a@bakery.shop',
    'a@florist.shop',
    'a@florist.xyz',
    'info@bakery.shop',
    'a@gift.kro.kr',
  );
  t.equal(text(lines[0]), 'RISKY_ENDING 14');
  t.equal(lines[0]?.factors[0]?.reason, 'The ending .shop is often used for throw-away domains');
  t.equal(text(lines[1]), '');
  t.equal(text(lines[2]), '', 'below the line');
  t.equal(lines[3]?.risk_score, 29, 'and a role beside it is still allowed');
  t.equal(text(lines[4]), 'FREE_SUBDOMAIN 35', 'given away, though the public suffix list does not say so');
});

async function judge(domains: readonly string[]): Promise<(Verdict & { domain: string })[]> {
  for (const domain of domains) zone[domain] ??= mx('mx.acme-widgets.com');
  const { lines } = await scoring.score(...domains.map((domain) => `jane@${domain}`));
  return lines.map((line, index) => ({ ...line, domain: domains[index] ?? '' }));
}

function text(line: Verdict | undefined): string | undefined {
  return line?.factors
    .filter(({ code }) => code !== 'FREE_PROVIDER')
    .map(({ code, points }) => `${code} ${points}`)
    .join(', ');
}
