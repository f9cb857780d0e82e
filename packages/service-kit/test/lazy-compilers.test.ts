import Fastify from 'fastify';
import t from 'tap';
import { Type } from 'typebox';
import { lazyCompilers } from '../src/lazy-compilers.js';

const app = Fastify({ schemaController: lazyCompilers, ajv: { customOptions: { coerceTypes: false } } });
app.post(
  '/names/',
  {
    schema: {
      body: Type.Object({ name: Type.String() }),
      response: { 200: Type.Object({ name: Type.String() }) },
    },
  },
  async ({ body }) => ({ ...(body as object), secret: 'not in the schema' }),
);
t.teardown(() => app.close());

const post = (payload: object) => app.inject({ method: 'POST', url: '/names/', payload });

t.test('a schema that is compiled at its first request refuses and filters like any other', async (t) => {
  for (const name of ['Ada', 'Grace']) {
    t.strictSame((await post({ name })).json(), { name });
    const refused = await post({ name: 1 });
    t.equal(refused.statusCode, 400);
    t.match(refused.json(), { message: 'body/name must be string' });
  }
});
