import { eventually } from '@verdict/local-stack/eventually.js';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';

/** More than one replica's first few connections can hold. */
const SLOW = 40;
const slowDomain = (i: number) => `slow-${i}.example-corp.com`;

let release = () => {};
const released = new Promise<void>((resolve) => {
  release = resolve;
});
const mx = [[10, 'mail.example-corp.com']] as const;
const dns = await startDnsServer({
  'canary.example-corp.com': { mx },
  ...Object.fromEntries(Array.from({ length: SLOW }, (_, i) => [slowDomain(i), { mx, after: released }])),
});
// No request times out before the test says so.
const stack = await startStack({
  workers: 0,
  env: {
    all: { DNS_SERVERS: dns.address },
    scoring: { DNS_CANARY: 'canary.example-corp.com', DNS_DEADLINE_MS: 60_000 },
    gateway: { SCORING_DEADLINE_MS: 60_000 },
  },
});
t.teardown(async () => {
  release();
  await stack.stop();
  await dns.close();
});

const check = (domain: string) => stack.api('check/', { json: { email: `jane@${domain}` } });

t.test(
  'checks that wait for a slow resolver hold up nobody else, however many batches they came in',
  async (t) => {
    let answered = 0;
    const slow = [];
    for (let i = 0; i < SLOW; i++) {
      const answer = check(slowDomain(i));
      slow.push(answer);
      void answer.then(() => answered++);
      // Sent before the next one comes: each travels in a separate batch.
      await eventually(() => dns.queries.includes(`MX ${slowDomain(i)}`));
    }
    t.equal((await check('gmail.com')).status, 200);
    t.equal(answered, 0, 'while all of them still wait');
    release();
    for (const answer of slow) t.equal((await answer).status, 200);
  },
);
