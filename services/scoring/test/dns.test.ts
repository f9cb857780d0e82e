import { type DnsServer, startDnsServer, type Zone } from '@verdict/local-stack/start-dns-server.js';
import { createTokenBuckets } from '@verdict/shares/token-buckets.js';
import t, { type Test } from 'tap';
import { createCanary } from '../src/dns/canary.js';
import { createMailLookUp } from '../src/dns/look-up-mail.js';
import { createMailDirectory, type MailDirectory } from '../src/dns/mail-directory.js';
import { type MailOutcome, unknownMail } from '../src/dns/mail-outcome.js';
import { createResolverPair } from '../src/dns/resolver-pair.js';

const HOUR = 3_600_000;
/** Longer than a test, so that only its own clock makes an opinion old. */
const CANARY_FRESH_MS = 600_000;
const found = (...hosts: string[]): MailOutcome => ({ kind: 'mx', hosts, addresses: [], routable: true });
const canaryZone: Zone = { 'canary.net': { mx: [[10, 'mx.canary.net']] } };

t.test('every outcome is told apart', async (t) => {
  const server = await serve(t, {
    ...canaryZone,
    'two-mx.com': {
      mx: [
        [20, 'MX2.two-mx.com'],
        [10, 'mx1.two-mx.com'],
      ],
    },
    'null-mx.com': { mx: [[0, '']] },
    'only-a.com': { a: ['192.0.43.7'] },
    'only-aaaa.com': { aaaa: ['2001:500:88:200:0:0:0:7'] },
    'forbids.com': { a: ['192.0.43.7'], txt: ['v=spf1 -all'] },
    'web-only.com': { a: ['192.0.43.7'], txt: ['v=spf1 include:x.com ~all'] },
    'nothing.com': {},
    'localhost-mx.com': { mx: [[10, 'localhost']] },
    'ip-mx.com': { mx: [[10, '192.168.1.5']] },
    'private-mx.com': { mx: [[10, 'mx.private-mx.com']] },
    'mx.private-mx.com': { a: ['10.0.0.1', '192.168.0.1'] },
    'public-mx.com': { mx: [[10, 'mx.public-mx.com']] },
    'mx.public-mx.com': { a: ['192.0.43.9'] },
    'servfail.com': { behaviour: 'servfail' },
    'refused.com': { behaviour: 'refused' },
    'silent.com': { behaviour: 'silent' },
    'malformed.com': { mx: [[10, 'mx.malformed.com']], behaviour: 'malformed' },
    'overrun.com': { mx: [[10, 'mx.overrun.com']], behaviour: 'overrun' },
    'wrong-id.com': { mx: [[10, 'mx.wrong-id.com']], behaviour: 'wrong-id' },
    'wrong-question.com': { mx: [[10, 'mx.wrong-question.com']], behaviour: 'wrong-question' },
    'truncated.com': { mx: [[10, 'mx.truncated.com']], behaviour: 'truncated' },
    'truncated-silent.com': { mx: [[10, 'mx.x.com']], behaviour: 'truncated-silent' },
  });
  const directory = directoryOver(t, [server]);
  const expected: Record<string, MailOutcome> = {
    'two-mx.com': found('mx1.two-mx.com', 'mx2.two-mx.com'),
    'null-mx.com': { kind: 'null_mx' },
    'only-a.com': { kind: 'implicit_mx' },
    'only-aaaa.com': { kind: 'implicit_mx' },
    'forbids.com': { kind: 'no_mail' },
    'web-only.com': { kind: 'implicit_mx' },
    'nothing.com': { kind: 'no_mail' },
    'absent.com': { kind: 'not_found' },
    'localhost-mx.com': { kind: 'mx', hosts: ['localhost'], addresses: [], routable: false },
    'ip-mx.com': { kind: 'mx', hosts: ['192.168.1.5'], addresses: [], routable: false },
    'private-mx.com': {
      kind: 'mx',
      hosts: ['mx.private-mx.com'],
      addresses: ['10.0.0.1', '192.168.0.1'],
      routable: false,
    },
    'public-mx.com': { kind: 'mx', hosts: ['mx.public-mx.com'], addresses: ['192.0.43.9'], routable: true },
    'servfail.com': unknownMail('failure'),
    'refused.com': unknownMail('failure'),
    'truncated.com': found('mx.truncated.com'),
  };
  for (const [domain, outcome] of Object.entries(expected)) {
    t.same(await directory.find(domain, 'acc'), outcome, domain);
  }
  // These can only end by the deadline, so it is a short one.
  const hasty = directoryOver(t, [server], { deadlineMs: 50 });
  t.same(await hasty.find('silent.com', 'acc'), unknownMail('deadline'));
  for (const domain of ['malformed', 'overrun', 'wrong-id', 'wrong-question', 'truncated-silent']) {
    t.equal((await hasty.find(`${domain}.com`, 'acc')).kind, 'unknown', `${domain} proves nothing`);
  }
  t.ok(server.queries.includes('MX truncated.com tcp'), 'a truncated answer is asked for again over TCP');
});

t.test('no absence is believed from a resolver that cannot find the canary', async (t) => {
  const server = await serve(t, { 'nothing.com': {}, 'fine.com': { mx: [[10, 'mx.fine.com']] } });
  const opinions: boolean[] = [];
  let time = 0;
  const directory = directoryOver(t, [server], {
    now: () => time,
    onOpinion: (healthy) => opinions.push(healthy),
  });
  t.same(await directory.find('gmail.com', 'acc'), unknownMail('resolver_unhealthy'), 'NXDOMAIN');
  t.same(await directory.find('nothing.com', 'acc'), unknownMail('resolver_unhealthy'), 'no records');
  t.same(await directory.find('fine.com', 'acc'), found('mx.fine.com'), 'what is found is found');
  Object.assign(server.zone, canaryZone);
  time += CANARY_FRESH_MS;
  t.same(
    await directory.find('absent.com', 'acc'),
    { kind: 'not_found' },
    'believed again once the canary sings',
  );
  t.same(opinions, [false, true]);
});

t.test('a server that fails or sleeps is made good by the other one', async (t) => {
  const good = await serve(t, {
    ...canaryZone,
    'a.com': { mx: [[1, 'mx.a.com']] },
    'b.com': { mx: [[1, 'mx.b.com']] },
  });
  const bad = await serve(t, { 'a.com': { behaviour: 'servfail' }, 'b.com': { behaviour: 'silent' } });
  const directory = directoryOver(t, [bad, good], { hedgeAfterMs: 30 });
  t.same(await directory.find('a.com', 'acc'), found('mx.a.com'));
  t.same(await directory.find('b.com', 'acc'), found('mx.b.com'));
});

t.test('one flight per domain, and the answer is remembered', async (t) => {
  const server = await serve(t, { ...canaryZone, 'acme.com': { mx: [[10, 'mx.acme.com']] } });
  const directory = directoryOver(t, [server]);
  const many = Array.from({ length: 50 }, () => directory.find('acme.com', 'acc'));
  t.equal(new Set(await Promise.all(many)).size, 1);
  t.equal(server.queries.filter((query) => query === 'MX acme.com').length, 1);
  t.same(directory.find('acme.com', 'acc'), found('mx.acme.com'), 'at once, without a promise');
});

t.test(
  'what is found stays usable for a day; an absence ten minutes; a failure is never an absence',
  async (t) => {
    let time = 0;
    let next: MailOutcome = found('mx1');
    let asked = 0;
    const directory = createMailDirectory({
      ...limits,
      now: () => time,
      lookUp: async () => {
        asked++;
        return next;
      },
    });
    t.same(await directory.find('a.com', 'acc'), found('mx1'));
    time += HOUR - 1;
    t.same(directory.find('a.com', 'acc'), found('mx1'), 'fresh for an hour');
    time += 2;
    next = unknownMail('failure');
    t.same(directory.find('a.com', 'acc'), found('mx1'), 'then still used while it is asked for again');
    await settled();
    t.equal(asked, 2);
    t.same(directory.find('a.com', 'acc'), found('mx1'), 'and when that fails');
    time += 24 * HOUR;
    t.same(await directory.find('a.com', 'acc'), unknownMail('failure'), 'but not for ever');

    next = { kind: 'not_found' };
    t.same(await directory.find('b.com', 'acc'), next);
    time += 599_000;
    t.same(directory.find('b.com', 'acc'), next);
    time += 2_000;
    next = found('mx2');
    t.same(await directory.find('b.com', 'acc'), found('mx2'), 'a domain born since is seen');

    next = unknownMail('failure');
    await directory.find('c.com', 'acc');
    time += 2_001;
    next = found('mx3');
    t.same(await directory.find('c.com', 'acc'), found('mx3'), 'a failure is asked again after two seconds');
  },
);

t.test('the deadline holds whatever the look-up does, and a late answer serves the next asker', async (t) => {
  let answer: (outcome: MailOutcome) => void = () => {};
  const directory = createMailDirectory({
    ...limits,
    deadlineMs: 5,
    lookUp: () => new Promise((resolve) => (answer = resolve)),
  });
  t.same(await directory.find('late.com', 'acc'), unknownMail('deadline'));
  answer(found('mx.late.com'));
  await settled();
  t.same(directory.find('late.com', 'acc'), found('mx.late.com'));
});

t.test('look-ups under way are capped; who cannot wait in line is told so', async (t) => {
  const answers: (() => void)[] = [];
  let active = 0;
  let peak = 0;
  const directory = createMailDirectory({
    ...limits,
    deadlineMs: 60_000,
    concurrency: 2,
    lookUp: async (domain) => {
      peak = Math.max(peak, ++active);
      await new Promise<void>((resolve) => answers.push(resolve));
      active--;
      return found(`mx.${domain}`);
    },
  });
  const asked = Array.from({ length: 10 }, (_, index) => directory.find(`d${index}.com`, `acc-${index}`));
  t.same(directory.find('one-too-many.com', 'acc'), unknownMail('busy'));
  for (let done = 0; done < 10; done++) {
    answers.shift()?.();
    await settled();
  }
  t.same(
    await Promise.all(asked),
    Array.from({ length: 10 }, (_, index) => found(`mx.d${index}.com`)),
  );
  t.equal(peak, 2);
});

t.test('who waits in line past the deadline is let go without asking', async (t) => {
  let asked = 0;
  const directory = createMailDirectory({
    ...limits,
    concurrency: 1,
    deadlineMs: 5,
    lookUp: () => {
      asked++;
      return new Promise(() => {});
    },
  });
  const both = await Promise.all([directory.find('a.com', 'acc'), directory.find('b.com', 'acc')]);
  t.same(both, [unknownMail('deadline'), unknownMail('deadline')]);
  t.equal(asked, 1);
});

t.test('an account has a budget for never-seen domains, and only for those', async (t) => {
  let time = 0;
  const now = () => time;
  const directory = createMailDirectory({
    ...limits,
    now,
    budget: createTokenBuckets({ burst: 2, perSecond: 1, ownersMax: 10, now }),
    lookUp: async (domain) => found(`mx.${domain}`),
  });
  await directory.find('a.com', 'greedy');
  await directory.find('b.com', 'greedy');
  t.same(directory.find('c.com', 'greedy'), unknownMail('budget'));
  t.same(directory.find('a.com', 'greedy'), found('mx.a.com'), 'what is known costs nothing');
  t.same(await directory.find('c.com', 'modest'), found('mx.c.com'), 'others are not affected');
  time += 1_000;
  t.same(await directory.find('d.com', 'greedy'), found('mx.d.com'), 'the budget refills');
});

t.test('accounts whose look-ups never end leave places for the others', async (t) => {
  const begun: string[] = [];
  const directory = createMailDirectory({
    ...limits,
    concurrency: 64,
    lookUp: (domain) => {
      begun.push(domain);
      return domain.startsWith('silent') ? new Promise(() => {}) : Promise.resolve(found(`mx.${domain}`));
    },
  });
  for (let i = 0; i < 600; i++) void directory.find(`silent-${i}.com`, `greedy-${i % 7}`);
  t.equal(begun.length, 56, 'seven of them hold an eighth each');
  t.same(await directory.find('acme.com', 'modest'), found('mx.acme.com'));
  t.same(await directory.find('other.com', 'modest'), found('mx.other.com'), 'again and again');
  for (let i = 0; i < 600; i++) void directory.find(`silent-again-${i}.com`, 'greedy-0');
  t.same(await directory.find('third.com', 'modest'), found('mx.third.com'), 'the line has places as well');
});

t.test('below one registrable domain only so much is asked, whoever asks', async (t) => {
  let time = 0;
  const now = () => time;
  let asked = 0;
  const directory = createMailDirectory({
    ...limits,
    now,
    domainBudget: createTokenBuckets({ burst: 3, perSecond: 1, ownersMax: 10, now }),
    lookUp: async (domain) => {
      asked++;
      return found(`mx.${domain}`);
    },
  });
  for (let i = 0; i < 50; i++) await directory.find(`r${i}.victim.co.uk`, `acc-${i}`);
  t.equal(asked, 3);
  t.same(directory.find('new.victim.co.uk', 'acc'), unknownMail('budget'));
  t.same(
    await directory.find('other.co.uk', 'acc'),
    found('mx.other.co.uk'),
    'its neighbours are not affected',
  );
  time += 1_000;
  t.same(await directory.find('new.victim.co.uk', 'acc'), found('mx.new.victim.co.uk'));
});

t.test(
  'a look-up costs two questions at most where there is mail, and four whatever a server does',
  async (t) => {
    const server = await serve(t, {
      ...canaryZone,
      'plain.com': {
        mx: [
          [10, 'mx.host.net'],
          [20, 'mx2.host.net'],
        ],
      },
      'neighbour.com': { mx: [[10, 'mx.host.net']] },
      'mx.host.net': { a: ['192.0.43.9'] },
      'web.com': { a: ['192.0.43.7'] },
      'nothing.com': {},
      'broken.com': { behaviour: 'servfail' },
      'half-broken.com': { mx: [[10, 'mx.broken.com']] },
      'mx.broken.com': { behaviour: 'servfail' },
    });
    const other = await serve(t, server.zone);
    const directory = directoryOver(t, [server, other]);
    await directory.find('absent-before.com', 'acc');
    const cost = async (domain: string) => {
      const before = server.queries.length + other.queries.length;
      await directory.find(domain, 'acc');
      return server.queries.length + other.queries.length - before;
    };
    t.equal(await cost('plain.com'), 2, 'MX and the address of the first server');
    t.equal(await cost('neighbour.com'), 1, 'whose address is known by now');
    t.equal(await cost('absent.com'), 1);
    t.equal(await cost('web.com'), 3, 'MX, A, SPF');
    t.equal(await cost('nothing.com'), 3, 'MX, A, AAAA');
    t.equal(await cost('broken.com'), 2, 'both resolvers, once');
    t.equal(await cost('half-broken.com'), 3);
  },
);

t.test(
  'names below an ending that was never delegated are not asked, only whether the ending was',
  async (t) => {
    const server = await serve(t, {
      ...canaryZone,
      'acme.bornlater': { mx: [[10, 'mx.acme.com']] },
    });
    const directory = directoryOver(t, [server]);
    for (const name of ['db1.prod.qqcorp', 'db2.prod.qqcorp'])
      t.same(await directory.find(name, 'acc'), { kind: 'not_found' });
    t.same(
      server.queries.filter((query) => query.includes('qqcorp')),
      ['MX qqcorp'],
    );
    t.match(await directory.find('acme.bornlater', 'acc'), { kind: 'mx' }, 'delegated since');
  },
);

const limits = {
  budget: { take: () => true },
  domainBudget: { take: () => true },
  deadlineMs: 1_000,
  concurrency: 10,
  entriesMax: 100,
  onOutcome: () => {},
};

interface DirectoryOptions {
  /** The canary's clock. */
  now?: () => number;
  deadlineMs?: number;
  hedgeAfterMs?: number;
  onOpinion?: (healthy: boolean) => void;
}

/** Patient by default: a busy machine must not turn answers into unknowns. */
function directoryOver(t: Test, servers: DnsServer[], options: DirectoryOptions = {}): MailDirectory {
  const { now = () => 0, deadlineMs = 20_000, hedgeAfterMs = 20_000, onOpinion = () => {} } = options;
  const resolvers = createResolverPair({
    servers: servers.map(({ address }) => address),
    timeoutMs: 20_000,
    hedgeAfterMs,
  });
  const canary = createCanary({
    resolvers,
    domains: ['canary.net'],
    freshMs: CANARY_FRESH_MS,
    onChange: onOpinion,
    now,
  });
  t.teardown(() => {
    canary.close();
    resolvers.close();
  });
  return createMailDirectory({
    ...limits,
    deadlineMs,
    lookUp: createMailLookUp({ resolvers, canary, domainBudget: limits.domainBudget }),
  });
}

async function serve(t: Test, zone: Zone): Promise<DnsServer> {
  const server = await startDnsServer(zone);
  t.teardown(() => server.close());
  return server;
}

/** Lets promises that are ready run on. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
