import { inData } from './paths.js';

export type Settings = Readonly<Record<string, string | number | undefined>>;

/** Ours over what we inherited; a NAME_FILE of the caller would otherwise win over the NAME decided here. */
export function childEnvironment(settings: Settings): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { NODE_COMPILE_CACHE: inData('compile-cache'), ...process.env };
  for (const [name, value] of Object.entries({ NODE_TEST_CONTEXT: undefined, ...settings })) {
    delete environment[`${name}_FILE`];
    if (value === undefined) delete environment[name];
    else environment[name] = String(value);
  }
  return environment;
}
