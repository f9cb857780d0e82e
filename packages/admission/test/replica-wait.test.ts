import { eventually } from '@verdict/local-stack/eventually.js';
import { startProxy } from '@verdict/local-stack/start-proxy.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { TooFewReplicas } from '@verdict/redis-store/replica-wait.js';
import t from 'tap';
import { hashIdempotencyKey, toIdempotency } from '../src/replay-record.js';
import { setUp } from './support/set-up.js';

const setting = await setUp({ replicas: 1, timeoutMs: 2_000 });
t.teardown(() => setting.close());
const { admission, account, submission, check, counted, fresh } = setting;
const link = await startProxy({ host: '127.0.0.1', port: setting.server.port });
t.teardown(() => link.close());
const replica = await startRedis({
  settings: { replicaof: `127.0.0.1 ${link.port}`, 'repl-timeout': '2', 'repl-ping-replica-period': '1' },
});
t.teardown(() => replica.stop());

const follows = () =>
  eventually(async () => /master_link_status:up/.test(await replica.client.info('replication')));
await follows();

t.test(
  'while a replica is away one batch is counted, and everything after it refused uncounted',
  async (t) => {
    const caller = await account();
    t.match(await admission.take(submission(caller)), { state: 'granted' });
    link.hush();
    await t.rejects(admission.take(submission(caller)), TooFewReplicas);
    t.equal(await counted(caller), 2, 'nobody knew before');
    for (let i = 0; i < 5; i++) await t.rejects(admission.take(submission(caller)), TooFewReplicas);
    t.equal(await counted(caller), 2);
    link.cut();
    link.restore();
    await follows();
    await eventually(() =>
      admission.take(submission(caller)).then(
        ({ state }) => state === 'granted',
        () => false,
      ),
    );
    t.equal(await counted(caller), 3, 'and goes on by itself');
  },
);

t.test('a replay is answered only when a replica has what the first answer left', async (t) => {
  const caller = await account();
  const one = check();
  const name = hashIdempotencyKey(fresh('key'));
  const once = toIdempotency(name, hashIdempotencyKey('body'), { checks: [one] });
  link.hush();
  await t.rejects(admission.take({ ...submission(caller, [one]), once }), TooFewReplicas);
  const question = { caller, count: 1, once: { ...once, rest: '' } };
  await t.rejects(admission.look(question), TooFewReplicas);
  await t.rejects(admission.take({ ...submission(caller, [one]), once }), TooFewReplicas);
  t.equal(await counted(caller), 1);
  link.cut();
  link.restore();
  await follows();
  const seen = await eventually(() => admission.look(question).catch(() => null));
  t.equal(seen.state, 'replay');
  t.match(await replica.client.get(`verdict:{0}:once:${name}`), /./, 'the replica has it');
});
