import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { finish } from '../harness/compose.js';
import { seedContainerAccount } from '../harness/seed-container-account.js';
import type { ContainerStack } from './start-containers.js';
import { blocksOf, inlineCommandsOf } from './typed-commands.js';

/** Commands that the reader completes, or that need the world outside: only their help is asked for. */
const INCOMPLETE = new Set([
  'verdict accounts billing',
  'verdict adjustments add',
  'verdict backup',
  'verdict invoices credit',
  'verdict invoices release',
  'verdict datasets sources',
  'verdict datasets update',
  'verdict datasets update --accept',
  'verdict datasets update --resume',
]);

/**
 * Types every command of the runbook and of "Rotate secrets" into a shell, as an operator does, and asks after each block
 * of a rotation whether customers still get answers. Returns what does not hold.
 */
export async function runCommands(stack: ContainerStack, say: (text: string) => void): Promise<string[]> {
  const wrong: string[] = [];
  const shell = await openShell(stack);
  const type = async (commands: string) => {
    say(commands);
    const { code, stdout, stderr } = await shell(commands);
    if (code !== 0) wrong.push(`${commands}\nended with ${code}: ${stderr}${stdout}`.slice(0, 2_000));
    await untilServed(stack);
  };

  await seedContainerAccount(stack.project, { email: 'jane@example.com', plan: 'free' });
  const runbook = await readFile(inRoot('docs/runbook.md'), 'utf8');
  for (const block of blocksOf(runbook)) await type(block);
  for (const command of inlineCommandsOf(runbook))
    await type(INCOMPLETE.has(command) ? `${command.replace(/ --\w+$/, '')} --help` : command);

  const operations = await readFile(inRoot('docs/operations.md'), 'utf8');
  const customer = await openCustomer(stack);
  const first = await customer.logIn();
  for (const block of blocksOf(operations, 'Rotate secrets')) {
    const earlier = await customer.logIn();
    await type(block);
    const answers = {
      'a check': await customer.check(),
      'its use': await customer.usage(),
      'a page of an earlier login': await customer.page(earlier),
      'a page of a new login': await customer.page(await customer.logIn()),
    };
    for (const [what, status] of Object.entries(answers))
      if (status !== 200) wrong.push(`${what} answers ${status} after\n${block}`);
    if (block.includes('--retire jwt-signing-key') && (await customer.page(first)) !== 401)
      wrong.push('a token of the retired key is still accepted');
  }
  return wrong;
}

/** Bash in a folder with `scripts` and `secrets`, where `docker-compose` and `verdict` mean those of this stack. */
async function openShell({ project, directory }: ContainerStack) {
  const bin = join(directory, 'bin');
  await mkdir(bin);
  await symlink(inRoot('scripts'), join(directory, 'scripts'));
  const files = project.files.flatMap((file) => ['-f', file]);
  const compose = [...project.command, '-p', project.name, ...files].join(' ');
  const programs = {
    // Nothing here is a terminal, which `exec` and `run` expect.
    'docker-compose': `PATH=\${PATH#*:}; case "$1" in exec | run) verb=$1; shift; exec ${compose} "$verb" -T "$@" ;; esac; exec ${compose} "$@"`,
    verdict: 'exec docker-compose run --rm -e VERDICT_OPERATOR=jane operator "$@"',
  };
  for (const [name, body] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${body}\n`);
    await chmod(join(bin, name), 0o755);
  }
  return (commands: string) =>
    finish('bash', ['-ec', `cd '${directory}'; PATH='${bin}':$PATH\n${commands}`], project.env);
}

const untilServed = ({ baseUrl }: ContainerStack): Promise<unknown> =>
  eventually(async () => (await http(`${new URL(baseUrl).origin}/edgez`)).status === 200, {
    withinMs: 180_000,
    everyMs: 500,
  });

/** A customer with a key and a login, who asks again while parts are being replaced. */
async function openCustomer({ project, baseUrl }: ContainerStack) {
  const { apiKey, email, password } = await seedContainerAccount(project, {
    email: 'rotation@example.com',
    plan: 'load',
  });
  const settled = async (ask: () => Promise<{ readonly status: number }>) => {
    let status = 503;
    // Control planes come up after the edge says that it serves.
    await eventually(
      async () => {
        status = (await ask().catch(() => ({ status: 503 }))).status;
        return status < 500;
      },
      { withinMs: 180_000, everyMs: 500 },
    ).catch(() => undefined);
    return status;
  };
  const headers = { 'x-api-key': apiKey };
  return {
    check: () => settled(() => http(`${baseUrl}check/`, { headers, json: { email: 'jane@gmail.com' } })),
    usage: () => settled(() => http(`${baseUrl}usage/`, { headers })),
    page: (access: string) =>
      settled(() => http(`${baseUrl}dashboard/keys/`, { headers: { authorization: `Bearer ${access}` } })),
    async logIn() {
      const login = () =>
        http<{ access: string }>(`${baseUrl}auth/jwt/create/`, { json: { email, password } });
      await settled(login);
      return (await login()).body.access;
    },
  };
}
