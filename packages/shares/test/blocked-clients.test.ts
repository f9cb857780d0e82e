import t from 'tap';
import { createBlockedClients } from '../src/blocked-clients.js';

t.test('an address is blocked for as long as its limit says, and no other', async (t) => {
  let time = 1_000_000;
  const clients = createBlockedClients(() => time);
  clients.block('192.0.2.1', 60);
  t.equal(clients.secondsLeft('192.0.2.2'), 0);
  t.equal(clients.secondsLeft('192.0.2.1'), 60);
  time += 59_001;
  t.equal(clients.secondsLeft('192.0.2.1'), 1);
  time += 999;
  t.equal(clients.secondsLeft('192.0.2.1'), 0);
  clients.block('192.0.2.1', 0);
  t.equal(clients.secondsLeft('192.0.2.1'), 1, 'for a second at least');
});

t.test('a block does not grow when the clock of the machine is set back a day', async (t) => {
  const real = Date.now;
  let aheadMs = 86_400_000;
  Date.now = () => real() + aheadMs;
  t.teardown(() => {
    Date.now = real;
  });
  const clients = createBlockedClients();
  clients.block('198.51.100.1', 60);
  aheadMs = 0;
  t.ok(clients.secondsLeft('198.51.100.1') <= 60);
});
