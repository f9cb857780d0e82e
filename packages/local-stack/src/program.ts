import { run } from '../../../scripts/lib/run.mjs';
import { childEnvironment, type Settings } from './child-environment.js';
import { inRoot } from './paths.js';

/** The files that the build makes and images ship. */
export type ProgramName = 'gateway' | 'scoring' | 'worker' | 'control-plane' | 'verdict' | 'seed' | 'migrate';

export const programFile = (name: ProgramName): string => inRoot('dist/services', `${name}.js`);

/**
 * As in the Dockerfile. The young generation keeps its size: V8 would cut it down in a quiet minute and let it grow back
 * for half an hour, and so would the memory that an operator sees.
 */
export const NODE_ARGUMENTS: readonly string[] = ['--enable-source-maps', '--min-semi-space-size=16'];

/** Runs a program to its end and returns the JSON object that it printed on a line. */
export async function runProgram<T>(name: ProgramName, settings: Settings, sentence: string): Promise<T> {
  const env = childEnvironment(settings);
  const output = await run(process.execPath, [...NODE_ARGUMENTS, programFile(name)], {
    env,
    sentence,
  });
  const line = output.split('\n').findLast((text) => text.startsWith('{'));
  if (line === undefined) throw new Error(`${name} printed no result:\n${output}`);
  return JSON.parse(line) as T;
}

/** Applies the missing migrations and returns their names. `roles` are the addresses of the services' own roles. */
export async function migrate(databaseUrl: string, roles: Settings = {}): Promise<readonly string[]> {
  const sentence = 'The database could not be migrated.';
  const settings = { DATABASE_URL: databaseUrl, ...roles };
  return (await runProgram<{ applied: string[] }>('migrate', settings, sentence)).applied;
}
