import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { oddFraming } from './odd-framing.js';
import { oddHeaders } from './odd-headers.js';

const stack = await startStack({ env: { 'control-plane': { REQUESTS_PER_MINUTE: 1_000_000 } } });
t.teardown(() => stack.stop());

t.test('headers for the next hop', (t) => oddHeaders(t, stack));
t.test('requests that can be read in two ways', (t) => oddFraming(t, stack));
