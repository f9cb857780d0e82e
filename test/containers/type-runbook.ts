import { monthOf } from '@verdict/domain/month.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import type { SeededAccount } from '@verdict/local-stack/stack-view.js';
import { seedContainerAccount } from '../harness/seed-container-account.js';
import { blocksOf, createDesk, type PageBlock } from './run-pages.js';
import type { ContainerStack } from './start-containers.js';

const OPERATIONS = 'docs/operations.md';
const REDIS_USERS = ['gateway', 'control-plane', 'worker', 'operator', 'admin'];
/** People and commands use these. */
const WITHOUT_CONTAINER = ['operator', 'admin'];
/** Without one no account can be invoiced, as the first day says. */
const ENTITY: PageBlock = {
  heading: 'First day',
  text: 'verdict entities set acme --name "ACME GmbH" --address "Street 1" --prefix ACME-',
};

/**
 * Types every command of the runbook and of the rotation of secrets. After each block checks must be answered, and the
 * token of a login must open the account until its key is retired. Returns what does not hold.
 */
export async function typeRunbook(stack: ContainerStack, say: (text: string) => void): Promise<string[]> {
  const account = await seedContainerAccount(stack.project, { email: 'runbook@example.com', plan: 'load' });
  const client = createClient(stack.baseUrl, account);
  const desk = await createDesk(stack.project, stack.directory);
  const wrong: string[] = [];
  const type = async (block: PageBlock) => {
    say(`typing ${block.heading}`);
    try {
      await desk.type(block);
      await eventually(client.check);
    } catch (error) {
      wrong.push(`${block.heading}: ${(error as Error).message}`);
    }
  };
  const logsIn = () => eventually(client.logIn);
  const staysLoggedIn = async (after: string, token: string) => {
    await eventually(() => client.reads(token), { withinMs: 60_000 }).catch(() =>
      wrong.push(`${after} logged somebody out`),
    );
  };

  const rotationOf = (what: string) => blocksOf(OPERATIONS, new RegExp(`^Rotate ${what}$`));
  for (const user of REDIS_USERS) {
    for (const block of await rotationOf('a Redis password')) await type(forUser(user, block));
  }
  const token = await logsIn();
  for (const what of ['the internal token', 'the key of stored secrets', 'the operator token']) {
    for (const block of await rotationOf(what)) await type(block);
    await staysLoggedIn(what, token);
  }
  const [use, retire] = await rotationOf('the JWT signing key');
  if (!use || !retire) throw new Error('the signing key is not rotated in two blocks');
  await type(use);
  await staysLoggedIn('the next signing key', token);
  const newer = await logsIn();
  await type(retire);
  await staysLoggedIn('retiring the signing key', newer);
  if (await client.reads(token)) wrong.push('a token of the retired key opens the account');

  await type(ENTITY);
  for (const block of await blocksOf('docs/runbook.md', /^Verdict/)) await type(ofThisMonth(block));
  return wrong;
}

function forUser(user: string, { heading, text }: PageBlock): PageBlock {
  const lines = text
    .split('\n')
    .filter((line) => !WITHOUT_CONTAINER.includes(user) || !line.includes('--force-recreate'));
  return {
    heading: `${heading} of ${user}`,
    text: lines.join('\n').replaceAll(/(--rotate|--retire|--no-deps) gateway\b/g, `$1 ${user}`),
  };
}

const ofThisMonth = ({ heading, text }: PageBlock): PageBlock => ({
  heading,
  text: text.replaceAll(/\b20\d\d-\d\d\b/g, monthOf(new Date())),
});

/** Each answers false while the service does not. */
function createClient(baseUrl: string, { email, password, apiKey }: SeededAccount) {
  return {
    async check(): Promise<boolean> {
      const headers = { 'x-api-key': apiKey };
      return (await http(`${baseUrl}check/`, { headers, json: { email: 'jane@gmail.com' } })).status === 200;
    },
    async logIn(): Promise<string | false> {
      const answer = await http<{ access: string }>(`${baseUrl}auth/jwt/create/`, {
        json: { email, password },
      });
      return answer.status === 200 && answer.body.access;
    },
    /** Whether the token of a login opens the account. */
    async reads(token: string): Promise<boolean> {
      const headers = { authorization: `Bearer ${token}` };
      return (await http(`${baseUrl}dashboard/audit/`, { headers })).status === 200;
    },
  };
}
