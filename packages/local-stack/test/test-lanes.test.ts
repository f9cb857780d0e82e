import t from 'tap';
import { sharesProcess } from '../src/test-lanes.js';

t.test('a file that sets something for every test of its process shares it with no other', async (t) => {
  t.notOk(sharesProcess('services/worker/test/webhooks.test.ts'), 'tests side by side');
  t.notOk(sharesProcess('services/dashboard/test/session.test.ts'), 'a hook before each test');
  t.ok(sharesProcess('services/worker/test/persist.test.ts'));
});
