import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { forgedLogin } from './forged-login.js';
import { oneNetwork, REGISTRATIONS_PER_HOUR } from './one-network.js';

const stack = await startStack({
  workers: 0,
  env: {
    gateway: { TRUST_PROXY: 'loopback', REQUESTS_PER_MINUTE: 1_000_000 },
    'control-plane': { REGISTRATIONS_PER_HOUR },
  },
});
t.teardown(() => stack.stop());

t.test('logins forged by another site', (t) => forgedLogin(t, stack));
t.test('one network, many addresses', (t) => oneNetwork(t, stack));
