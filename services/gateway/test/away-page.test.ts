import Fastify from 'fastify';
import t from 'tap';
import { createForwarder } from '../src/forward/forwarder.js';

t.test(
  'a browser gets a page that retries while the control plane is away, a program an error',
  async (t) => {
    const forwarder = createForwarder('http://127.0.0.1:1');
    t.teardown(() => forwarder.close());
    const app = Fastify();
    app.setErrorHandler((error: { publicMessage?: string }, _request, reply) =>
      reply.code(503).send({ error: error.publicMessage }),
    );
    app.get('/*', forwarder.forward);
    t.teardown(() => app.close());
    const page = await app.inject({ url: '/keys', headers: { accept: 'text/html,application/xhtml+xml' } });
    t.equal(page.statusCode, 503);
    t.match(page.headers['content-type'], /^text\/html/);
    t.match(page.headers['content-security-policy'], /default-src 'none'/);
    t.match(page.body, /<meta http-equiv="refresh" content="2">/);
    t.notMatch(page.body, /<script/);
    const answer = await app.inject({
      url: '/api/v1/auth/users/me/',
      headers: { accept: 'application/json' },
    });
    t.match(answer.json(), { error: String });
  },
);
