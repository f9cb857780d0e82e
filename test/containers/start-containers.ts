import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@verdict/local-stack/eventually.js';
import { freePort } from '@verdict/local-stack/free-port.js';
import { http } from '@verdict/local-stack/http.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import type { RunningStack } from '../contract/contract-target.js';
import { type ComposeProject, compose, finish } from '../harness/compose.js';
import { seedContainerAccount } from '../harness/seed-container-account.js';

/** As docs/operations.md writes them into `.env`: every `up` keeps them. */
export const SCALE = { gateway: 3, scoring: 2, worker: 2, 'control-plane': 2 } as const;
const scaled = Object.entries(SCALE).map(([name, count]) => [
  `${name.replace('-', '_').toUpperCase()}_SCALE`,
  String(count),
]);

export interface ContainerStack extends RunningStack {
  readonly directory: string;
  stop(): Promise<void>;
}

const ROOT = inRoot();
const PLANS_FILE = 'plans.json';
const PLANS = {
  free: { checks_per_month: 1_000, checks_per_second: 1_000, retention_days: 30 },
  tiny: { checks_per_month: 2, checks_per_second: 1_000, retention_days: 30 },
  slow: { checks_per_month: 1_000, checks_per_second: 1, retention_days: 30 },
  load: { checks_per_month: 10_000_000, checks_per_second: 100_000, retention_days: 30 },
};

/** As an editor saves it: a new file under the old name, which a running container does not see. */
export async function doublePlans(directory: string): Promise<void> {
  const doubled = Object.entries(PLANS).map(([name, plan]) => [
    name,
    { ...plan, checks_per_month: plan.checks_per_month * 2 },
  ]);
  const draft = join(directory, 'plans.draft.json');
  await writeFile(draft, JSON.stringify(Object.fromEntries(doubled)));
  await rename(draft, join(directory, PLANS_FILE));
}

/** docker-compose.yml unchanged, scaled, with a private name, port and secrets. */
export async function startContainers(
  command: readonly string[],
  say: (text: string) => void,
): Promise<ContainerStack> {
  const directory = await mkdtemp(join(tmpdir(), 'verdict-containers-'));
  const [port, databasePort] = [await freePort(), await freePort()];
  const project: ComposeProject = {
    command,
    name: `verdict-test-${randomBytes(3).toString('hex')}`,
    files: [join(ROOT, 'docker-compose.yml'), join(directory, 'test.yml')],
    env: {
      SECRETS_DIR: join(directory, 'secrets'),
      VERDICT_PORT: String(port),
      VERDICT_TLS_PORT: String(await freePort()),
      REDIS_SHARDS: '2',
      ...Object.fromEntries(scaled),
    },
  };
  const stop = async () => {
    await compose(project, 'down', '-v', '-t', '5', '--remove-orphans').catch((error) => say(String(error)));
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await writeFile(join(directory, PLANS_FILE), JSON.stringify(PLANS));
    await writeFile(join(directory, 'test.yml'), overrides(directory, databasePort));
    const made = await finish(process.execPath, [
      join(ROOT, 'scripts/make-secrets.mjs'),
      join(directory, 'secrets'),
    ]);
    if (made.code !== 0) throw new Error(made.stderr);

    say('building the images');
    await compose(project, 'build', '--quiet');
    say(
      `starting ${Object.entries(SCALE)
        .map(([name, count]) => `${count} ${name}`)
        .join(', ')}`,
    );
    await compose(project, 'up', '-d');
    await eventually(async () => (await http(`http://127.0.0.1:${port}/edgez`)).status === 200, {
      withinMs: 300_000,
      everyMs: 500,
    });
    const password = (await readFile(join(directory, 'secrets/postgres_password'), 'utf8')).trim();
    return {
      project,
      directory,
      baseUrl: `http://127.0.0.1:${port}/api/v1/`,
      databaseUrl: `postgresql://verdict:${password}@127.0.0.1:${databasePort}/verdict`,
      account: await seedContainerAccount(project, { email: 'demo@example.com', plan: 'free' }),
      stop,
    };
  } catch (error) {
    say(await compose(project, 'ps').catch(String));
    say(await compose(project, 'logs', '--no-color', '--tail', '15').catch(String));
    await stop();
    throw error;
  }
}

/** Additions for the test: its plans, access to Postgres, and no DNS outside. */
function overrides(directory: string, databasePort: number): string {
  const plans = { volumes: [`${join(directory, PLANS_FILE)}:/app/config/plans.json:ro`] };
  return JSON.stringify({
    services: {
      'control-plane': plans,
      worker: plans,
      scoring: { environment: { DNS_SERVERS: '127.0.0.1:9' } },
      postgres: { ports: [`127.0.0.1:${databasePort}:5432`], networks: ['postgres', 'edge'] },
    },
  });
}
