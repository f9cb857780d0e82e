import { entryFile } from './bundled-entry.js';
import { childEnvironment, type Settings } from './child-environment.js';
import { NODE_ARGUMENTS } from './node-arguments.js';
import { runCommand } from './run-command.js';

/** Runs one of our own programs to its end and returns the JSON object that it printed on a line. */
export async function runEntry<T>(entry: string, settings: Settings, sentence: string): Promise<T> {
  const env = childEnvironment(settings);
  const output = await runCommand(process.execPath, [...NODE_ARGUMENTS, entryFile(entry)], { env, sentence });
  const line = output.split('\n').findLast((text) => text.startsWith('{'));
  if (line === undefined) throw new Error(`${entry} printed no result:\n${output}`);
  return JSON.parse(line) as T;
}
