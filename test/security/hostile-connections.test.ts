import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { idleConnections } from './idle-connections.js';
import { oddFraming } from './odd-framing.js';
import { oddHeaders } from './odd-headers.js';
import { pinnedForwarding } from './pinned-forwarding.js';

/** On one stack, which none of them may change for the next; the memory of a gateway is looked at while it is fresh. */
const stack = await startStack({ env: { 'control-plane': { REQUESTS_PER_MINUTE: 1_000_000 } } });
t.teardown(() => stack.stop());

t.test('connections that are held', (t) => idleConnections(t, stack));
t.test('headers for the next hop', (t) => oddHeaders(t, stack));
t.test('requests that can be read in two ways', (t) => oddFraming(t, stack));
t.test('requests that hold on to the control plane', (t) => pinnedForwarding(t, stack));
