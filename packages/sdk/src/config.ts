/** An environment variable, where the platform has them. An empty one is a missing one. */
export const setting = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name] ||
  undefined;
