/** Thrown when the environment is invalid; its message names every bad variable. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export const invalidSettings = (problems: readonly string[]): ConfigError =>
  new ConfigError(`the configuration is not valid: ${problems.join('; ')}`);
