import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import { type ComposeProject, finish } from '../harness/compose.js';

/** A block of a page, as an operator types it. */
export interface PageBlock {
  readonly heading: string;
  readonly text: string;
}

/** The shell blocks of a page below headings that match, without the lines for Kubernetes. */
export async function blocksOf(page: string, heading: RegExp): Promise<PageBlock[]> {
  const sections = (await readFile(inRoot(page), 'utf8')).split(/^#{2,3} /m);
  return sections.flatMap((section) => {
    const [title = ''] = section.split('\n', 1);
    if (!heading.test(title)) return [];
    return [...section.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => ({
      heading: title,
      text: block.replaceAll(/^kubectl .*\n/gm, '').trim(),
    }));
  });
}

/** Redis refuses a command, and Compose an option in front of a pipe, with words instead of an exit code. */
const REFUSED = /^(?:(?:NOPERM|NOAUTH|WRONGPASS|ERR|AUTH failed|unknown (?:flag|shorthand))\b|Usage:).*$/m;

/**
 * A folder in which the commands of the pages mean the stack of a test: with its secrets, this checkout's scripts, and a
 * `docker-compose` and a `verdict` that know its name.
 */
export async function createDesk(project: ComposeProject, directory: string) {
  const desk = join(directory, 'desk');
  const programs = join(desk, 'programs');
  await mkdir(programs, { recursive: true });
  await symlink(join(directory, 'secrets'), join(desk, 'secrets'));
  await symlink(inRoot('scripts'), join(desk, 'scripts'));
  const [program = ''] = project.command;
  const found = (await finish('sh', ['-c', `command -v ${program}`])).stdout.trim();
  const words = [found, ...project.command.slice(1), '-p', project.name];
  const files = project.files.flatMap((file) => ['-f', file]);
  // A test has no terminal, which Compose 1.29 assumes.
  await write(
    'docker-compose',
    `case "$1" in exec|run) first="$1"; shift; set -- "$first" -T "$@";; esac
exec ${[...words, ...files].map((word) => `'${word}'`).join(' ')} "$@"`,
  );
  await write('verdict', 'exec docker-compose run --rm -e VERDICT_OPERATOR=jane operator "$@"');

  async function write(name: string, script: string): Promise<void> {
    await writeFile(join(programs, name), `#!/bin/bash\n${script}\n`);
    await chmod(join(programs, name), 0o755);
  }
  return {
    /** Types a block and returns what it printed; throws that when a line failed. */
    async type({ text }: PageBlock): Promise<string> {
      const { code, stdout, stderr } = await finish('bash', ['-eu', '-c', `cd '${desk}'\n${text}`], {
        ...project.env,
        PATH: `${programs}:${process.env.PATH}`,
      });
      const refused = REFUSED.exec(`${stdout}\n${stderr}`)?.[0];
      if (code !== 0 || refused) throw new Error(`${refused ?? `ended with ${code}`}\n${stderr}${stdout}`);
      return stdout;
    },
  };
}
