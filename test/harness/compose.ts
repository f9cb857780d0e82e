import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

type Environment = Readonly<Record<string, string>>;

/** The identity of a running stack; one process may write it to a file for another. */
export interface ComposeProject {
  /** `docker-compose`, or `docker` and `compose`. */
  readonly command: readonly string[];
  readonly name: string;
  readonly files: readonly string[];
  readonly env: Environment;
}

/** Runs a compose command of the project and returns what it printed; a failure throws that. */
export async function compose(project: ComposeProject, ...args: string[]): Promise<string> {
  const files = project.files.flatMap((file) => ['-f', file]);
  const [program = '', ...rest] = [...project.command, '-p', project.name, ...files, ...args];
  return output(program, rest, project.env);
}

export const docker = (...args: string[]): Promise<string> => output('docker', args);

/** Ids of the containers of a service, in a stable order. */
export const containersOf = async (project: ComposeProject, service: string): Promise<string[]> =>
  (await compose(project, 'ps', '-q', service)).split('\n').filter(Boolean).sort();

async function output(program: string, args: readonly string[], env?: Environment): Promise<string> {
  const { code, stdout, stderr } = await finish(program, args, env);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stderr}${stdout}`);
  return stdout;
}

/** Runs a program to its end; rejects when there is no such program. */
export async function finish(program: string, args: readonly string[], env: Environment = {}) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = once(child, 'close') as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), end]);
  return { code, stdout, stderr };
}
