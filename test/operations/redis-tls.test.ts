import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@verdict/local-stack/eventually.js';
import { freePort } from '@verdict/local-stack/free-port.js';
import { makeCertificates } from '@verdict/local-stack/make-certificates.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { startRedis } from '@verdict/local-stack/start-redis.js';
import { spawnService } from '@verdict/local-stack/start-service.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { finish } from '../harness/compose.js';

const ROOT = inRoot();

const openssl = await finish('openssl', ['version']).catch(() => null);
const skip = openssl ? false : 'certificates are made with openssl, which is not here';

t.test('services reach a Redis that speaks TLS only, each as its own user', { skip }, async (t) => {
  const certificates = await makeCertificates();
  t.teardown(() => certificates.remove());
  const secrets = await mkdtemp(join(tmpdir(), 'verdict-secrets-'));
  t.teardown(() => rm(secrets, { recursive: true, force: true }));
  const made = await finish(process.execPath, [join(ROOT, 'scripts/make-secrets.mjs'), secrets]);
  t.equal(made.code, 0, made.stderr || 'secrets are made');
  const redis = await startRedis({ settings: { aclfile: join(secrets, 'redis_acl') }, tls: certificates });
  t.teardown(() => redis.stop());
  const urlOf = async (user: string, host = '127.0.0.1') =>
    (await readFile(join(secrets, `redis_url_${user}`), 'utf8'))
      .trim()
      .replace('redis://', 'rediss://')
      .replace('redis:6379', `${host}:${redis.port}`);

  const stack = await startStack({
    env: {
      all: { NODE_EXTRA_CA_CERTS: certificates.certificate },
      gateway: { REDIS_URL: await urlOf('gateway') },
      worker: { REDIS_URL: await urlOf('worker') },
      'control-plane': { REDIS_URL: await urlOf('control_plane') },
    },
  });
  t.teardown(() => stack.stop());

  // The account was seeded into another Redis, so this also projects it.
  const { status, body } = await stack.api<{ id: string }>('check/', { json: { email: 'jane@gmail.com' } });
  t.equal(status, 200);
  await eventually(
    async () => (await stack.sql('SELECT 1 FROM check_logs WHERE id = $1', [body.id])).length === 1,
  );
  t.equal((await stack.api('usage/')).status, 200);
  for (const service of [...stack.gateways, ...stack.workers, stack.controlPlane])
    t.notMatch(service.output(), /NOPERM|certificate/, `${service.name} was refused nothing`);

  await t.test('and after Redis was away for a moment they come back', async (t) => {
    await redis.kill();
    await redis.restart();
    await eventually(
      async () => (await stack.api('check/', { json: { email: 'jane@gmail.com' } })).status === 200,
    );
    t.pass('a check is answered');
  });

  await t.test('a server that cannot prove who it is is not believed', async (t) => {
    const refused = async (settings: Record<string, string | undefined>) => {
      const ports = { PORT: await freePort(), INTERNAL_PORT: await freePort() };
      const service = spawnService('gateway', { ...stack.environments.gateway, ...ports, ...settings });
      t.equal((await service.exited).code, 1);
      return service.output();
    };
    t.match(
      await refused({ NODE_EXTRA_CA_CERTS: undefined }),
      /cannot start: Redis cannot be reached .*certificate/,
      'its authority is unknown',
    );
    t.match(
      await refused({ REDIS_URL: await urlOf('gateway', 'localhost') }),
      /cannot start: Redis cannot be reached .*localhost/,
      'its certificate is for another name',
    );
  });
});
