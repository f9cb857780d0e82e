/** Thrown when the environment does not fit; its message names every bad variable at once. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

export const invalidSettings = (problems: readonly string[]): ConfigError =>
  new ConfigError(`the configuration is not valid: ${problems.join('; ')}`);
