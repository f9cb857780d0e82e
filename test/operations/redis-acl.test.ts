import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@verdict/local-stack/eventually.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { NODE_ARGUMENTS, programFile } from '@verdict/local-stack/program.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { accountKey } from '@verdict/redis-store/keys.js';
import { Redis } from 'ioredis';
import t from 'tap';
import { finish } from '../harness/compose.js';

const ROOT = inRoot();
const secrets = await mkdtemp(join(tmpdir(), 'verdict-secrets-'));
t.teardown(() => rm(secrets, { recursive: true, force: true }));
const made = await finish(process.execPath, [join(ROOT, 'scripts/make-secrets.mjs'), secrets]);
if (made.code !== 0) throw new Error(made.stderr);

const redis = await startRedis({ settings: { aclfile: join(secrets, 'redis_acl') } });
t.teardown(() => redis.stop());
const urlOf = async (user: string) => {
  const text = await readFile(join(secrets, `redis_url_${user}`), 'utf8');
  return text.trim().replace('redis:6379', `127.0.0.1:${redis.port}`);
};

t.test('every service does its work with the rights that it was given', async (t) => {
  const stack = await startStack({
    env: {
      gateway: { REDIS_URL: await urlOf('gateway') },
      worker: { REDIS_URL: await urlOf('worker') },
      'control-plane': { REDIS_URL: await urlOf('control_plane') },
    },
  });
  t.teardown(() => stack.stop());
  // The account was seeded into another Redis, so this also projects it.
  const { status, body } = await stack.api<{ id: string }>('check/', {
    json: { email: 'jane@gmail.com' },
    headers: { 'idempotency-key': 'one' },
  });
  t.equal(status, 200);
  await eventually(
    async () => (await stack.sql('SELECT 1 FROM check_logs WHERE id = $1', [body.id])).length === 1,
  );
  t.equal(
    (await stack.api('check/', { json: { email: 'a@gmail.com' }, headers: { 'x-api-key': 'x' } })).status,
    401,
  );
  t.equal((await stack.api('usage/')).status, 200);

  const cli = programFile('verdict');
  const operator = {
    REDIS_URL: await urlOf('operator'),
    REDIS_TIMEOUT_MS: '20000',
    DATABASE_URL: stack.database.urlOf('operator'),
  };
  const reconcile = await finish(process.execPath, [...NODE_ARGUMENTS, cli, 'reconcile'], operator);
  t.equal(reconcile.code, 0, reconcile.stderr || 'the operator reconciles');
  const erased = await finish(
    process.execPath,
    [...NODE_ARGUMENTS, cli, 'erase', '--email', 'jane@gmail.com', '--json'],
    { ...operator, EMAIL_HASH_SECRET: String(stack.environments.worker.EMAIL_HASH_SECRET) },
  );
  t.equal(erased.code, 0, erased.stderr || 'the operator erases');
  t.match(JSON.parse(erased.stdout), { checks: 1, answers: 1, append_only_file_rewritten: true });
  for (const service of [...stack.gateways, ...stack.workers, stack.controlPlane]) {
    t.notMatch(service.output(), /NOPERM|does not let us read/, `${service.name} was refused nothing`);
  }
  await t.test('and no service can do more', async (t) => {
    const refused = async (user: string, ...command: [string, ...string[]]) => {
      const client = new Redis(await urlOf(user));
      t.teardown(() => client.disconnect());
      await t.rejects(client.call(...command), /NOPERM/, `${user} may not ${command.join(' ')}`);
    };
    for (const user of ['gateway', 'control_plane', 'worker', 'operator']) {
      await refused(user, 'FLUSHALL');
      await refused(user, 'KEYS', '*');
      await refused(user, 'CONFIG', 'SET', 'appendonly', 'no');
      await refused(user, 'ACL', 'LIST');
      await refused(user, 'SHUTDOWN');
      await refused(user, 'GET', 'another-application');
    }
    await refused('gateway', 'SCAN', '0');
    await refused('control_plane', 'LLEN', 'verdict:queue:{0}:check-logs:wait');
    const stranger = new Redis(redis.url);
    t.teardown(() => stranger.disconnect());
    await t.rejects(
      stranger.hgetall(accountKey(stack.accountId, 1)),
      /NOPERM/,
      'without a password: ping alone',
    );
  });
});

t.test('the administrator runs what the runbook and the rotation of a password say', async (t) => {
  const password = async (name: string) =>
    (await readFile(join(secrets, `redis_password_${name}`), 'utf8')).trim();
  const admin = new Redis({ port: redis.port, username: 'admin', password: await password('admin') });
  t.teardown(() => admin.disconnect());
  t.equal(await admin.config('SET', 'maxmemory', '1gb'), 'OK');
  t.match(await admin.info('memory'), /maxmemory:1073741824/);
  await t.rejects(admin.get('verdict:shards'), /NOPERM/, 'it reads no key');

  const makeSecrets = async (...wish: string[]) => {
    const { code, stderr } = await finish(process.execPath, [
      join(ROOT, 'scripts/make-secrets.mjs'),
      secrets,
      ...wish,
    ]);
    t.equal(code, 0, stderr);
  };
  const enters = async (url: string) => {
    const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => {});
    return client
      .connect()
      .then(() => client.ping())
      .then(
        () => true,
        () => false,
      )
      .finally(() => client.disconnect());
  };
  const before = await urlOf('worker');
  await makeSecrets('--rotate', 'worker');
  const after = await urlOf('worker');
  t.not(after, before);
  t.notOk(await enters(after), 'not before it is loaded');
  await admin.call('ACL', 'LOAD');
  t.ok((await enters(before)) && (await enters(after)), 'both while services are rolled');
  const restarted = await startRedis({ settings: { aclfile: join(secrets, 'redis_acl') } });
  t.teardown(() => restarted.stop());
  const there = (url: string) => url.replace(`:${redis.port}`, `:${restarted.port}`);
  t.ok((await enters(there(before))) && (await enters(there(after))), 'and after a restart');
  await makeSecrets('--retire', 'worker');
  await admin.call('ACL', 'LOAD');
  t.notOk(await enters(before), 'the old one is gone');
  t.ok(await enters(after));
  for (const user of ['gateway', 'control_plane', 'operator']) t.ok(await enters(await urlOf(user)), user);
});
