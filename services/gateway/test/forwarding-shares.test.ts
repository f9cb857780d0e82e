import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import t from 'tap';
import { createForwardingShares } from '../src/forward/forwarding-shares.js';

const answer = () => new ServerResponse(new IncomingMessage(new Socket()));
const GREEDY = 'account acc_greedy';

t.test('an account that took too much time has its places later, whatever its addresses', async (t) => {
  let now = 0;
  const { connection } = createForwardingShares(() => now);
  const first = await connection(['ip 192.0.2.1', GREEDY], answer());
  now += 10_000;
  first.release();
  let begun = 0;
  const later = Array.from({ length: 16 }, async (_, i) => {
    const share = await connection([`ip 192.0.2.${i + 2}`, GREEDY], answer());
    begun++;
    return share;
  });
  await connection(['ip 198.51.100.7', 'account acc_other'], answer());
  t.equal(begun, 15, 'the place that rests counts as held');
  const shares = await Promise.all(later);
  t.equal(begun, 16, 'until it has rested');
  for (const share of shares) share.release();
});

t.test('an account within its time never waits', async (t) => {
  let now = 0;
  const { connection } = createForwardingShares(() => now);
  for (let page = 0; page < 50; page++) {
    const shares = await Promise.all(
      Array.from({ length: 16 }, () => connection(['ip 192.0.2.1', GREEDY], answer())),
    );
    now += 10;
    for (const share of shares) share.release();
    now += 1_000;
  }
  t.pass('every request had its place');
});
