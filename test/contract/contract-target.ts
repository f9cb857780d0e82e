import { readFile } from 'node:fs/promises';
import { type HttpAnswer, type HttpRequest, http } from '@verdict/local-stack/http.js';
import { type SeededAccount, seedAccount } from '@verdict/local-stack/seed-account.js';
import { startRedisCluster } from '@verdict/local-stack/start-redis-cluster.js';
import { type StackOptions, startStack } from '@verdict/local-stack/start-stack.js';
import { Pool, type QueryResultRow } from 'pg';
import { type ComposeProject, containersOf, finish } from '../harness/compose.js';
import { seedContainerAccount } from '../harness/seed-container-account.js';

/** What the contract is checked against: a public address, and the means to look behind it. */
export interface ContractTarget extends SeededAccount {
  /** Ends with /api/v1/. */
  readonly baseUrl: string;
  api<T = Record<string, unknown>>(path: string, request?: HttpRequest): Promise<HttpAnswer<T>>;
  sql<Row extends QueryResultRow>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  seed(options: { readonly email: string; readonly plan?: string }): Promise<SeededAccount>;
  /** Everything that the services printed. */
  outputs(): Promise<{ readonly name: string; readonly text: string }[]>;
  stop(): Promise<void>;
}

/** A stack of containers that somebody else started and will end. */
export interface RunningStack {
  readonly project: ComposeProject;
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly account: SeededAccount;
}

/**
 * Processes of this test's own (on a Redis Cluster when CONTRACT_REDIS says so), or the running stack that the file named
 * by CONTRACT_TARGET describes.
 */
export async function openContractTarget(options: StackOptions, plansFile: string): Promise<ContractTarget> {
  const file = process.env.CONTRACT_TARGET;
  return file
    ? attach(JSON.parse(await readFile(file, 'utf8')) as RunningStack)
    : startProcesses(options, plansFile);
}

async function startProcesses(options: StackOptions, plansFile: string): Promise<ContractTarget> {
  const cluster = process.env.CONTRACT_REDIS === 'cluster' ? await startRedisCluster() : undefined;
  const redisCluster = cluster ? { REDIS_CLUSTER: cluster.nodes, REDIS_SHARDS: 6 } : {};
  const stack = await startStack({
    ...options,
    env: { ...options.env, all: { ...options.env?.all, ...redisCluster } },
  });
  return {
    ...stack,
    baseUrl: stack.baseUrls[0] ?? '',
    seed: (account) =>
      seedAccount({
        databaseUrl: stack.database.url,
        redisUrl: stack.redis.url,
        ...(cluster ? { redisCluster: cluster.nodes, redisShards: '6' } : {}),
        plansFile,
        ...account,
      }),
    outputs: async () =>
      [...stack.gateways, ...stack.scorings, ...stack.workers, stack.controlPlane].map((service) => ({
        name: service.name,
        text: service.output(),
      })),
    async stop() {
      await stack.stop();
      await cluster?.stop();
    },
  };
}

function attach({ project, baseUrl, databaseUrl, account }: RunningStack): ContractTarget {
  const pool = new Pool({ connectionString: databaseUrl, max: 2 });
  return {
    ...account,
    baseUrl,
    api: (path, { headers, ...rest } = {}) =>
      http(`${baseUrl}${path}`, { ...rest, headers: { 'x-api-key': account.apiKey, ...headers } }),
    sql: async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(text, [...values])).rows,
    seed: (options) => seedContainerAccount(project, options),
    outputs: async () => {
      const found: { name: string; text: string }[] = [];
      for (const name of ['gateway', 'scoring', 'worker', 'control-plane']) {
        for (const container of await containersOf(project, name)) {
          const { stdout, stderr } = await finish('docker', ['logs', container]);
          found.push({ name, text: stdout + stderr });
        }
      }
      return found;
    },
    stop: () => pool.end(),
  };
}
