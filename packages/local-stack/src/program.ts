import { run } from '../../../scripts/lib/run.mjs';
import { childEnvironment, type Settings } from './child-environment.js';
import { inRoot } from './paths.js';

/** The files that the build makes and images ship. */
export type ProgramName = 'gateway' | 'scoring' | 'worker' | 'control-plane' | 'verdict' | 'seed' | 'migrate';

/** The folder in `dist` that programs are started from, where it is not the one that ships. */
export const PROGRAMS = 'PROGRAMS_FOLDER';

export const programFile = (name: ProgramName): string =>
  inRoot('dist', process.env[PROGRAMS] ?? 'services', `${name}.js`);

/**
 * As in the Dockerfile. The young generation keeps its size: V8 would cut it down in a quiet minute and let it grow back
 * for half an hour, and so would the memory that an operator sees.
 */
export const NODE_ARGUMENTS: readonly string[] = ['--enable-source-maps', '--min-semi-space-size=16'];

/** Runs a program to its end and returns what it printed. */
export const runProgram = (name: ProgramName, settings: Settings, sentence: string): Promise<string> =>
  run(process.execPath, [...NODE_ARGUMENTS, programFile(name)], {
    env: childEnvironment(settings),
    sentence,
  });

/** The JSON object that a program printed on a line. */
export function resultOf<T>(output: string): T {
  const line = output.split('\n').findLast((text) => text.startsWith('{'));
  if (line === undefined) throw new Error(`There is no result in what it printed:\n${output}`);
  return JSON.parse(line) as T;
}

/** Applies the missing migrations and returns their names. `roles` are the addresses of the services' own roles. */
export async function migrate(databaseUrl: string, roles: Settings = {}): Promise<readonly string[]> {
  const sentence = 'The database could not be migrated.';
  const output = await runProgram('migrate', { DATABASE_URL: databaseUrl, ...roles }, sentence);
  return resultOf<{ applied: string[] }>(output).applied;
}
