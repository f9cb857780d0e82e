import { SCORING_VERSION, ScoreLineSchema } from '@verdict/contracts/scoring-api.js';
import { expandedFlags, mapFlags } from '@verdict/contracts/signal-flags.js';
import {
  type ExtraSignals,
  ExtraSignalsSchema,
  type Signals,
  SignalsSchema,
} from '@verdict/contracts/signals.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { startDnsServer, type Zone } from '@verdict/local-stack/start-dns-server.js';
import fc from 'fast-check';
import t from 'tap';
import { Value } from 'typebox/value';
import { mailAt } from '../src/dns/mail-outcome.js';
import { looksRandom } from '../src/names/looks-random.js';
import { addUp } from '../src/score/add-up.js';
import type { Finding } from '../src/score/finding.js';
import { createLineWriter } from '../src/score/write-line.js';
import { disposableDomain } from '../src/signals/disposable-domain.js';
import { disposableDomainDisputed } from '../src/signals/disposable-domain-disputed.js';
import { dnsIndeterminate } from '../src/signals/dns-indeterminate.js';
import { mxUnroutable } from '../src/signals/mx-unroutable.js';
import { roleAccount } from '../src/signals/role-account.js';
import type { Example, Signal } from '../src/signals/signal.js';
import { signals } from '../src/signals/signals.js';
import { startScoring } from './support/scoring-service.js';

const mx = (host: string) => ({ mx: [[10, host]] as const });

/** Examples without a factor. */
const nothingFound: Example[] = [
  { email: 'jane@acme-widgets.com', mail: mailAt('mx.acme-widgets.com'), factors: '' },
  { email: '用户@例子.广告', mail: mailAt('mx.acme-widgets.com'), factors: '' },
];
const examples: Example[] = [...nothingFound, ...signals.flatMap((signal) => signal.examples)];

const zone: Zone = {
  'canary.net': mx('mx.canary.net'),
  'refusing-dns-corp.com': { behaviour: 'refused' },
  'acme.qqzz': mx('mx.acme-widgets.com'),
  ...Object.assign({}, ...examples.map(({ email, mail }) => zoneOf(domainOf(email), mail))),
};

/** The records that give a domain this outcome. */
function zoneOf(domain: string, mail: Example['mail']): Zone {
  if (mail === 'not asked' || mail.kind === 'not_found') return {};
  switch (mail.kind) {
    case 'mx':
      return {
        [domain]: { mx: mail.hosts.map((host) => [10, host] as const) },
        ...(mail.routable ? {} : { [mail.hosts[0] ?? '']: { a: ['10.1.2.3'] } }),
      };
    case 'null_mx':
      return { [domain]: mx('') };
    case 'implicit_mx':
      return { [domain]: { a: ['192.0.43.7'] } };
    case 'no_mail':
      return { [domain]: {} };
    case 'unknown':
      return { [domain]: { behaviour: 'servfail' } };
  }
}

function domainOf(email: string): string {
  const parsed = parseEmail(email);
  if (!parsed.ok) throw new Error(`${email}: ${parsed.message}`);
  return parsed.address.domain;
}

const dns = await startDnsServer(zone);
const scoring = await startScoring({
  DNS_SERVERS: dns.address,
  DNS_CANARY: 'canary.net',
  // Nothing here waits for it: a busy machine must not turn answers into unknowns.
  DNS_DEADLINE_MS: '20000',
  DATASETS_POLL_MS: '600000',
});
t.teardown(async () => {
  await scoring.close();
  await dns.close();
});

/** Needs a web ranking, which `hand-lists.test` has. */
const RAISED_ELSEWHERE = ['UNESTABLISHED_RISKY_ENDING'];

/** Every verdict of the tests below. */
const seen: Verdict[] = [];
async function score(...emails: string[]) {
  const scored = await scoring.score(...emails);
  seen.push(...scored.lines);
  return scored;
}

t.test('the examples of every signal come out as written', async (t) => {
  const { lines } = await score(...examples.map(({ email }) => email));
  examples.forEach(({ email, factors }, index) => {
    t.equal(factorText(lines[index]), factors, `${email}: ${factors}`);
  });
  for (const { code, examples: own } of signals)
    t.ok(
      RAISED_ELSEWHERE.includes(code) || own.some(({ factors }) => factors.includes(`${code} `)),
      `${code} has an example`,
    );
});

t.test('a single source gives way to a paid mailbox host, and the signal stays truthful', async (t) => {
  const { lines } = await score(disposableDomainDisputed.examples[0]?.email ?? '');
  t.match(lines[0]?.factors[0]?.reason, /hosted by Google/);
  t.equal(lines[0]?.signals.disposable_email, true, 'a list does name it');
});

t.test('a look-up that runs into the deadline hardly moves the score', async (t) => {
  const hasty = await startScoring({
    DNS_SERVERS: dns.address,
    DNS_CANARY: 'canary.net',
    DNS_DEADLINE_MS: '20',
  });
  t.teardown(() => hasty.close());
  zone['silent-dns-corp.com'] = { behaviour: 'silent' };
  const { lines } = await hasty.score('k.lee@silent-dns-corp.com');
  t.equal(factorText(lines[0]), 'DNS_INDETERMINATE 10');
  t.same(lines[0]?.signals, { disposable_email: false, mx_valid: false, free_provider: false });
  t.equal(lines[0]?.extra.mx_unknown, true);
});

t.test('signals are truthful and say what was found', async (t) => {
  const { lines } = await score(
    'test@mailinator.com',
    'x@gmail.com',
    'promo+x@brand-new-front.com',
    'li.na@gmil.com',
    'k.lee@refusing-dns-corp.com',
    'abuse@duck.com',
  );
  t.same(lines[0]?.signals, { disposable_email: true, mx_valid: true, free_provider: false });
  t.match(lines[0]?.factors[0]?.reason, 'Disposable email domain detected (operated by mailinator.com)');
  t.same(lines[1]?.signals, { disposable_email: false, mx_valid: true, free_provider: true });
  t.equal(lines[2]?.signals.disposable_email, true, 'mail at a disposable operator is disposable mail');
  t.equal(lines[2]?.extra.plus_tag, true);
  t.equal(lines[2]?.extra.role_account, true, 'a tag does not hide the role');
  t.equal(lines[3]?.extra.suggestion, 'li.na@gmail.com');
  t.equal(lines[3]?.signals.disposable_email, false, 'an aggregate list does not call a typo disposable');
  t.same(lines[4]?.signals, { disposable_email: false, mx_valid: false, free_provider: false });
  t.equal(lines[4]?.extra.mx_unknown, true);
  t.equal(lines[5]?.extra.relay, true);
  t.equal(lines[5]?.extra.no_reply, true);
});

t.test('an alias is known by its provider, or by the host of its mail', async (t) => {
  zone['hosted-corp.com'] = mx('aspmx.l.google.com');
  zone['self-run-corp.com'] = mx('mx.self-run-corp.com');
  const addresses = [
    'k.lee+x@hosted-corp.com',
    'k.lee@hosted-corp.com',
    'k.lee+x@self-run-corp.com',
    'k.lee@gmail.com',
  ];
  const { lines } = await score(...addresses);
  t.strictSame(
    lines.map(({ extra }) => extra.alias),
    [true, false, false, true],
  );
});

t.test('reserved names, literals and known providers are judged without asking DNS', async (t) => {
  const before = dns.queries.length;
  const { lines } = await score(
    'a@foo.test',
    'a@foo.example',
    'a@foo.invalid',
    'a@foo.localhost',
    'a@[IPv6:2001:db8::1]',
    'a@outlook.com',
    'a@mozmail.com',
  );
  t.same(
    lines.map((line) => factorText(line)),
    [
      ...Array<string>(4).fill('RESERVED_DOMAIN 85'),
      'ADDRESS_LITERAL 60',
      'FREE_PROVIDER 5',
      'RELAY_DOMAIN 20',
    ],
  );
  t.equal(dns.queries.length, before);
});

t.test('parents match on label boundaries only, and mail at a shared hoster proves nothing', async (t) => {
  zone['a.b.mailinator.com'] = mx('mail.mailinator.com');
  zone['mymailinator.com'] = mx('aspmx.l.google.com');
  zone['acme.uk.com'] = mx('mx.acme-widgets.com');
  zone['small-firm.com'] = mx('route1.mx.cloudflare.net');
  const { lines } = await score(
    'x@a.b.mailinator.com',
    'x@mymailinator.com',
    'x@acme.uk.com',
    'x@small-firm.com',
    'x@user.anonaddy.com',
  );
  t.equal(lines[0]?.signals.disposable_email, true);
  t.equal(lines[1]?.signals.disposable_email, false);
  t.equal(lines[2]?.risk_score, 0, 'a suffix that is sold is not given away');
  t.equal(lines[3]?.risk_score, 0);
  t.equal(lines[4]?.extra.relay, true);
});

t.test('typos of big providers are suggested, neighbours with a life of their own are not', async (t) => {
  const slips: Record<string, string> = {
    'gmial.com': 'gmail.com',
    'gmail.con': 'gmail.com',
    'gnail.con': 'gmail.com',
    'gmaila.com': 'gmail.com',
    'gmail.co': 'gmail.com',
    'grnail.com': 'gmail.com',
    'hotmial.fr': 'hotmail.fr',
    'yahoo.co.ul': 'yahoo.co.uk',
    'outllok.com': 'outlook.com',
    'comcast.nry': 'comcast.net',
    'some-company.cmo': 'some-company.com',
  };
  const real =
    'cloud.com line.com never.com photon.me mask.io acme.io company.co incometax.gov.in gmx.dk web.dk mail.com'
      .concat(' yahoo.fi hotmail.ru y7mail.com tmail.com')
      .split(' ');
  const { lines } = await score(
    ...Object.keys(slips).map((domain) => `a@${domain}`),
    ...real.map((domain) => `a@${domain}`),
  );
  Object.values(slips).forEach((meant, index) => {
    t.equal(lines[index]?.extra.suggestion, `a@${meant}`, `${Object.keys(slips)[index]} means ${meant}`);
  });
  real.forEach((domain, index) => {
    t.equal(lines[Object.keys(slips).length + index]?.extra.suggestion, null, `${domain} is left alone`);
  });
});

t.test('an unknown ending counts only when DNS cannot say more', async (t) => {
  const { lines } = await score('a@acme.zzqq', 'a@acme.qqzz');
  t.equal(factorText(lines[0]), 'UNKNOWN_TLD 35, DNS_INDETERMINATE 10');
  t.equal(lines[1]?.risk_score, 0, 'an ending newer than our suffix list');
});

t.test('names of people are not called random', async (t) => {
  for (const name of [
    'krzysztof',
    'schwarzschild',
    'jsmith1984',
    'wspzn',
    'bjorn.strm',
    'a.b.c.d.e.f',
    'mary_2024',
    'tchslmn9',
  ]) {
    t.equal(looksRandom(name), name === 'tchslmn9', name);
  }
  t.ok(looksRandom('a8k2j9x7'));
  t.ok(looksRandom('xkqzvbnt93'));
  t.notOk(looksRandom('пользователь'));
});

t.test('a look-up that did not complete never lifts a score to block', async (t) => {
  const { score, factors } = addUp([found(mxUnroutable), found(roleAccount), found(dnsIndeterminate)]);
  t.equal(score, 79);
  const blocked = addUp([found(disposableDomain), found(dnsIndeterminate)]);
  t.equal(blocked.score, 90, 'and a block is the same with and without DNS');
  t.same(
    factors.map(({ points }) => points),
    [60, 15, 4],
  );
});

t.test(
  'whatever is found: the points add up exactly, and only the strongest hard factor counts',
  async (t) => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom(...signals), { maxLength: 12 }), (some) => {
        const { score, factors } = addUp(some.map(found));
        const sum = factors.reduce((total, { points }) => total + points, 0);
        const hard = new Set<string>(some.filter(({ kind }) => kind === 'hard').map(({ code }) => code));
        const hardCounted = factors.filter(({ code, points }) => hard.has(code) && points > 0);
        return sum === score && score <= 100 && hardCounted.length <= 1 && factors.length === some.length;
      }),
    );
    t.pass();
  },
);

t.test('a line is the JSON of its verdicts, and a shared verdict stands in it once', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  const verdict = fc.record({
    risk_score: fc.nat({ max: 100 }),
    signals: fc.record({
      disposable_email: fc.boolean(),
      mx_valid: fc.boolean(),
      free_provider: fc.boolean(),
    }),
    extra: fc.record({
      ...mapFlags(expandedFlags, () => fc.boolean()),
      suggestion: fc.option(text, { nil: null }),
      mail: text,
    }),
    factors: fc.array(fc.record({ code: text, points: fc.nat(), reason: text }), { maxLength: 4 }),
    datasets: text,
  });
  const datasets = scoring.deps.datasets.current().versions;
  fc.assert(
    fc.property(fc.array(verdict, { minLength: 1, maxLength: 4 }), (verdicts) => {
      const line = createLineWriter(
        SCORING_VERSION,
        datasets,
      )((add) => {
        [...verdicts, ...verdicts].forEach((each, i) => {
          add(i, structuredClone(each));
        });
      });
      const texts = [...new Set(verdicts.map((each) => JSON.stringify(each)))];
      const checks = [...verdicts, ...verdicts].map((each, i) => ({
        i,
        verdict: texts.indexOf(JSON.stringify(each)),
      }));
      const head = JSON.stringify({ v: SCORING_VERSION, datasets }).slice(0, -1);
      return line === `${head},"verdicts":[${texts.join(',')}],"checks":${JSON.stringify(checks)}}\n`;
    }),
  );
});

t.test('every line keeps the contract', async (t) => {
  const { answer, lines } = await score(...examples.map(({ email }) => email));
  for (const line of answer) t.ok(Value.Check(ScoreLineSchema, line));
  for (const line of lines) {
    t.strictSame(Object.keys(line.extra), Object.keys(ExtraSignalsSchema.properties), 'every signal is said');
    t.equal(
      line.factors.reduce((sum, { points }) => sum + points, 0),
      line.risk_score,
    );
  }
});

t.test('every flag is true and every factor is raised for somebody', async (t) => {
  for (const flag of [
    ...Object.keys(SignalsSchema.properties),
    ...Object.keys(ExtraSignalsSchema.properties),
  ])
    t.ok(
      seen.some(({ signals, extra }) => ({ ...signals, ...extra })[flag as keyof (Signals & ExtraSignals)]),
      flag,
    );
  const raised = new Set(seen.flatMap(({ factors }) => factors.map(({ code }) => code)));
  t.strictSame(
    signals.map(({ code }) => code).filter((code) => !raised.has(code)),
    RAISED_ELSEWHERE,
  );
});

const found = (signal: Signal): Finding => ({ signal, reason: 'because' });

function factorText(line: Verdict | undefined): string | undefined {
  return line?.factors.map(({ code, points }) => `${code} ${points}`).join(', ');
}
