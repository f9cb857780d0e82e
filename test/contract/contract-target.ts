import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type OpenStack, openStack } from '@verdict/local-stack/open-stack.js';
import { openSql } from '@verdict/local-stack/query.js';
import { apiOf, type SeededAccount } from '@verdict/local-stack/stack-view.js';
import { type ComposeProject, containersOf, finish } from '../harness/compose.js';
import { seedContainerAccount } from '../harness/seed-container-account.js';

/** The target of the contract: a public address, and access behind it. */
export type ContractTarget = SeededAccount &
  Pick<OpenStack, 'baseUrls' | 'api' | 'sql' | 'createAccount' | 'outputs' | 'stop'>;

/** A stack of containers that somebody else started and will end. */
export interface RunningStack {
  readonly project: ComposeProject;
  readonly baseUrl: string;
  readonly databaseUrl: string;
  readonly account: SeededAccount;
}

/** The stack of containers that the file in CONTRACT_TARGET describes, or processes with the CONTRACT_SETTINGS. */
export async function openContractTarget(): Promise<ContractTarget> {
  const { CONTRACT_TARGET: file, CONTRACT_SETTINGS: settings } = process.env;
  if (file === undefined) return openStack(settings ? { settings: JSON.parse(settings) } : {});
  const { project, baseUrl, databaseUrl, account } = JSON.parse(await readFile(file, 'utf8')) as RunningStack;
  const { sql, end } = openSql(databaseUrl);
  const email = () => `${randomBytes(6).toString('hex')}@example.com`;
  return {
    ...account,
    sql,
    baseUrls: [baseUrl],
    api: apiOf(baseUrl, account.apiKey),
    createAccount: (plan = 'free') => seedContainerAccount(project, { email: email(), plan }),
    async outputs() {
      const found: { name: string; text: string }[] = [];
      for (const name of ['gateway', 'scoring', 'worker', 'control-plane']) {
        for (const container of await containersOf(project, name)) {
          const { stdout, stderr } = await finish('docker', ['logs', container]);
          found.push({ name, text: stdout + stderr });
        }
      }
      return found;
    },
    stop: end,
  };
}
