import { KEY_ROUTES } from '@verdict/contracts/routes/key-routes.js';
import { attach } from '@verdict/service-kit/attach.js';
import { noteAttached, requireHandlers } from '@verdict/service-kit/attached-routes.js';
import Fastify from 'fastify';
import t from 'tap';
import { refuseUnlisted } from '../src/http/refuse-unlisted.js';

t.test('a route without a handler does not start', async (t) => {
  const app = Fastify();
  const attached = noteAttached(app);
  attach(app, KEY_ROUTES.list, async () => ({ success: true, keys: [], keys_max: 0 }));
  requireHandlers(attached, [KEY_ROUTES.list]);
  t.throws(
    () => requireHandlers(attached, Object.values(KEY_ROUTES)),
    /no handler for .*POST \/dashboard\/keys\//,
  );
});

t.test('a handler without a route does not start', async (t) => {
  const app = Fastify();
  refuseUnlisted(app);
  t.throws(() => app.get('/api/v1/dashboard/secrets/', async () => ({})), /is not in the contract/);
});
