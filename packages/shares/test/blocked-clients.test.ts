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
