import { openStack } from '@verdict/local-stack/open-stack.js';
import t from 'tap';
import { oddFraming } from './odd-framing.js';
import { oddHeaders } from './odd-headers.js';

const stack = await openStack();
t.teardown(() => stack.stop());

t.test('headers for the next hop', (t) => oddHeaders(t, stack));
t.test('requests that can be read in two ways', (t) => oddFraming(t, stack));
