import Fastify from 'fastify';
import t from 'tap';
import { slowRefusals } from '../src/auth/slow-refusals.js';

const FAILURES_PER_MINUTE = 20;
const PROMPT = 10;
const key = { accountId: 'acc_1', keyId: 'key_1', credential: 'c' };

const app = Fastify();
t.teardown(() => app.close());
app.decorateRequest('credentials');
slowRefusals(app, FAILURES_PER_MINUTE);
app.get('/:status', async (request, reply) => {
  if (request.headers['x-api-key'] !== undefined) request.credentials = { key, token: null };
  return reply.code(Number((request.params as { status: string }).status)).send({});
});
const ask = async (status: number, from: string, headers = {}) =>
  (await app.inject({ url: `/${status}`, remoteAddress: from, headers })).statusCode;

for (const [i, status] of [400, 401, 429].entries()) {
  t.test(`a loop that is answered ${status} waits, and delays nobody else`, async (t) => {
    const [loop, other] = [`192.0.2.${i}`, `198.51.100.${i}`];
    for (let j = 0; j < PROMPT; j++) await ask(status, loop);
    const answered: string[] = [];
    const refused = ask(status, loop).then((code) => answered.push(`the loop ${code}`));
    answered.push(`without a refusal ${await ask(200, loop)}`);
    answered.push(`with a good key ${await ask(status, loop, { 'x-api-key': 'good' })}`);
    answered.push(`another address ${await ask(status, other)}`);
    await refused;
    t.strictSame(answered, [
      'without a refusal 200',
      `with a good key ${status}`,
      `another address ${status}`,
      `the loop ${status}`,
    ]);
  });
}
