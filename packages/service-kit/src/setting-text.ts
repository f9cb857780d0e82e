import { readFileSync } from 'node:fs';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The value of a variable, or undefined; NAME_FILE may name a file with the value, as container secrets do. */
export function settingText(name: string, environment: Environment): string | undefined {
  const file = environment[`${name}_FILE`];
  const text = file ? contentOf(name, file) : environment[name];
  return text === undefined || text === '' ? undefined : text;
}

function contentOf(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`${name}_FILE cannot be read (${(error as Error).message})`);
  }
}
