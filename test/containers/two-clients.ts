import { type ComposeProject, docker } from '../harness/compose.js';
import type { ContainerStack } from './start-containers.js';

/** More wrong passwords than one address may try, each for somebody else. */
const WRONG_LOGINS = 60;
const FORGED = '198.51.100.77';

interface Client {
  readonly address: string;
  /** Status of a login at the edge, with a word of the client's own about its address. */
  logIn(email: string, password: string, claimed: string): Promise<number>;
}

/**
 * Two clients in containers with different addresses, through the shipped edge: the faults of one count against that
 * one only, whatever it claims to be. Returns the violations.
 */
export async function twoClients(stack: ContainerStack, say: (text: string) => void): Promise<string[]> {
  const { project, account } = stack;
  const wrong: string[] = [];
  const holds = (fact: boolean, what: string) => void (fact || wrong.push(what));
  const ids: string[] = [];
  try {
    const [bad, good] = [await startClient(project, ids), await startClient(project, ids)];
    say(`two clients, ${bad.address} and ${good.address}`);
    holds(bad.address !== good.address, 'the clients have two addresses');
    let refused = 0;
    for (let i = 0; i < WRONG_LOGINS; i++) {
      // Each time as if from somewhere else, and at last as if from where the other client is.
      const claimed = i === WRONG_LOGINS - 1 ? good.address : `198.51.100.${i}`;
      if ((await bad.logIn(`nobody${i}@example.com`, 'wrong wrong wrong', claimed)) === 429) refused++;
    }
    holds(refused > 0, `forged addresses get around the limit: none of ${WRONG_LOGINS} was refused`);
    holds((await bad.logIn(account.email, account.password, good.address)) === 429, 'the one is locked out');
    holds((await good.logIn(account.email, account.password, bad.address)) === 200, 'the other is not');
    holds((await good.logIn(account.email, account.password, FORGED)) === 200, 'nor with another claim');
    const seen = await addressesOf(stack);
    holds(seen.includes(good.address), `the log names the address of the client: ${seen}`);
    holds(!seen.includes(FORGED) && !seen.includes(bad.address), `and no forged one: ${seen}`);
    say(`two clients: ${refused} of ${WRONG_LOGINS} wrong logins of the one refused, the other logs in`);
    return wrong;
  } finally {
    for (const id of ids) await docker('rm', '--force', id);
  }
}

async function startClient(project: ComposeProject, ids: string[]): Promise<Client> {
  const network = `${project.name}_edge`;
  const run = ['run', '--detach', '--network', network, '--entrypoint', 'sleep', 'verdict/operator', '600'];
  const id = (await docker(...run)).trim();
  ids.push(id);
  const format = `{{(index .NetworkSettings.Networks "${network}").IPAddress}}`;
  return {
    address: (await docker('inspect', '--format', format, id)).trim(),
    async logIn(email, password, claimed) {
      const script = `fetch('http://edge:8080/api/v1/auth/jwt/create/', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': process.argv[3] },
        body: JSON.stringify({ email: process.argv[1], password: process.argv[2] }),
      }).then((answer) => console.log(answer.status))`;
      return Number(await docker('exec', id, 'node', '-e', script, email, password, claimed));
    },
  };
}

/** From where the account was used, as its owner reads it. */
async function addressesOf({ baseUrl, account }: ContainerStack): Promise<string[]> {
  const { email, password } = account;
  const login = await fetch(`${baseUrl}auth/jwt/create/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  const { access } = (await login.json()) as { access: string };
  const headers = { authorization: `Bearer ${access}` };
  const answer = await fetch(`${baseUrl}dashboard/audit/`, { headers });
  const { events } = (await answer.json()) as { events: { ip: string | null }[] };
  return [...new Set(events.flatMap(({ ip }) => ip ?? []))];
}
