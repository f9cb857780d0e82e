import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@verdict/local-stack/eventually.js';
import { type HttpAnswer, http } from '@verdict/local-stack/http.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';

/**
 * A tenant chooses which names we ask about. It sent thousands of questions to somebody's name servers, held every look-up
 * slot with servers that never answer, and had us ask for names that only mean something inside a network.
 */
const BURST = 10;
const RANDOM_NAMES = 150;
const CONCURRENCY = 16;
const SILENT = 60;

const mx = [[10, 'mail.canary-corp.com']] as const;
let release = () => {};
const released = new Promise<void>((resolve) => {
  release = resolve;
});
const silent = Object.fromEntries(
  Array.from({ length: SILENT }, (_, i) => [`silent-${i}.com`, { mx, after: released }]),
);
const dns = await startDnsServer({
  'canary-corp.com': { mx },
  'mail.canary-corp.com': { a: ['192.0.43.9'] },
  'honest-one.com': { mx },
  'honest-two.com': { mx },
  ...silent,
});
t.teardown(() => dns.close());
// Nothing times out on a slow machine, so every refusal has its own reason.
const stack = await startStack({
  workers: 0,
  env: {
    all: { DNS_SERVERS: dns.address },
    scoring: {
      DNS_CANARY: 'canary-corp.com',
      DNS_DEADLINE_MS: 60_000,
      DNS_CONCURRENCY: CONCURRENCY,
      DNS_DOMAIN_BURST: BURST,
      DNS_DOMAIN_PER_SECOND: 1,
    },
    gateway: { SCORING_DEADLINE_MS: 60_000 },
  },
});
t.teardown(() => stack.stop());
const [base = ''] = stack.baseUrls;

interface Checked {
  signals: { mx_valid: boolean };
  reasons: string[];
  decision: string;
}
/** At the rate of the plan: who is too fast waits. */
async function check(domain: string, apiKey = stack.apiKey): Promise<HttpAnswer<Checked>> {
  for (;;) {
    const answer = await http<Checked>(`${base}check/`, {
      headers: { 'x-api-key': apiKey },
      json: { email: `jane@${domain}` },
    });
    if (answer.status !== 429) return answer;
    await delay(100);
  }
}
const asked = (part: string) => dns.queries.filter((query) => query.includes(part)).length;

t.test('random names below one domain: its name servers see a handful of questions', async (t) => {
  const from = Date.now();
  const reasons = new Set<string>();
  for (let i = 0; i < RANDOM_NAMES; i += 10) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, j) => check(`r${i + j}.victim-corp.com`)),
    );
    for (const { status, body } of answers) {
      t.equal(status, 200);
      for (const reason of body.reasons) reasons.add(reason);
    }
  }
  const seconds = (Date.now() - from) / 1000;
  t.ok(
    asked('victim-corp.com') <= BURST + seconds + 1,
    `${asked('victim-corp.com')} questions in ${seconds} s`,
  );
  t.ok(reasons.has('The mail servers could not be checked'), 'and nobody is blocked for our refusal');
});

t.test('names of somebody’s inside are never asked', async (t) => {
  for (const name of [
    'db1.prod.corp',
    'printer.lan',
    'vault.service.consul',
    '1.0.0.10.in-addr.arpa',
    'a.home.arpa',
  ])
    t.match((await check(name)).body, { decision: 'block', signals: { mx_valid: false } }, name);
  const undelegated = await check('db1.prod.qqcorp');
  t.equal(undelegated.body.decision, 'block');
  t.strictSame(
    dns.queries.filter((query) => /corp$|\.lan$|consul$|arpa$/.test(query)),
    ['MX qqcorp'],
    'of an ending that nobody delegated only the ending',
  );
});

t.test('look-ups that never end leave places for another account', async (t) => {
  const { apiKey } = await stack.createAccount();
  const held = Object.keys(silent).map((domain) => check(domain));
  t.teardown(release);
  await eventually(() => asked('MX silent-') >= CONCURRENCY / 2);
  t.match((await check('honest-one.com', apiKey)).body.signals, { mx_valid: true });
  t.match((await check('honest-two.com', apiKey)).body.signals, { mx_valid: true });
  t.equal(
    Object.keys(silent).filter((domain) => dns.queries.includes(`MX ${domain}`)).length,
    CONCURRENCY / 2,
    'the other has half of the places, and they are all still held',
  );
  release();
  for (const answer of held) t.equal((await answer).status, 200);
});
