/**
 * Lets a connection do without a listener for errors. The command that fails says why, and ioredis would print the error
 * to stderr, beside the log.
 */
export function withoutPrinting<T extends { on(event: 'error', listener: () => void): unknown }>(
  connection: T,
): T {
  connection.on('error', () => undefined);
  return connection;
}
