import { spawn } from 'node:child_process';

/** What identifies one running stack; may be written to a file and read by another process. */
export interface ComposeProject {
  /** `docker-compose`, or `docker` and `compose`. */
  readonly command: readonly string[];
  readonly name: string;
  readonly files: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a compose command of the project to its end; a failure throws what it said. */
export async function compose(project: ComposeProject, ...args: string[]): Promise<string> {
  const files = project.files.flatMap((file) => ['-f', file]);
  const [program = '', ...rest] = [...project.command, '-p', project.name, ...files, ...args];
  return output(program, rest, project.env);
}

export const docker = (...args: string[]): Promise<string> => output('docker', args, {});

/** Ids of the containers of a service, in a stable order. */
export async function containersOf(project: ComposeProject, service: string): Promise<string[]> {
  const ids = (await compose(project, 'ps', '-q', service)).split('\n').filter(Boolean);
  return ids.sort();
}

async function output(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { code, stdout, stderr } = await finish(program, args, env);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}:\n${stderr}${stdout}`);
  return stdout;
}

export function finish(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
