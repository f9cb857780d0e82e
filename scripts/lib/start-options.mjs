import { parseArgs } from 'node:util';

export const USAGE = `npm start -- [options]
  --port N   the public port (default 8080)
  --fresh    forget all data and begin anew
  --help     this text
DATABASE_URL and REDIS_URL use servers of yours instead of our own.`;

/** @param {string[]} argv @returns {{ port: number, fresh: boolean, help: boolean }} */
export function parseStartOptions(argv) {
  let values;
  try {
    ({ values } = parseArgs({
      args: argv,
      options: { port: { type: 'string' }, fresh: { type: 'boolean' }, help: { type: 'boolean' } },
    }));
  } catch (error) {
    throw new Error(`${error.message.split('. ')[0]}.\n${USAGE}`);
  }
  const port = Number(values.port ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65535) {
    throw new Error(`--port wants a number from 1 to 65535, not "${values.port}".`);
  }
  return { port, fresh: values.fresh ?? false, help: values.help ?? false };
}
