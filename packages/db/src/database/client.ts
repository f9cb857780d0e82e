import { setFlagsFromString } from 'node:v8';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/client.js';
import { checkRows } from './rows-of.js';

// Prisma's query compiler is WebAssembly and reads the whole schema once. With V8's own budget it would optimise the
// reader afterwards, which took 0.3 s of processor at every start; what queries use still reaches this one within seconds.
setFlagsFromString('--wasm-tiering-budget=60000000');

export type Database = PrismaClient;

interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly connectionsMax?: number;
  readonly statementMs?: number;
}

const CONNECT_SECONDS = 3;
const STATEMENT_MS = 30_000;
/** Longer than a poll takes to come again: connecting costs both sides more than the poll. */
const IDLE_MS = 300_000;

/**
 * A pooled client that connects with the first query. In the address `connect_timeout` has libpq's meaning, and
 * `check_rows=on`, which tests set, compares every row with its shape.
 */
export function connectDatabase(options: DatabaseOptions): Database {
  const { url, name, connectionsMax = 4, statementMs = STATEMENT_MS } = options;
  const connectMs = connectSeconds(url) * 1_000;
  const adapter = new PrismaPg(
    {
      connectionString: url,
      application_name: name,
      max: connectionsMax,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: IDLE_MS,
      statement_timeout: statementMs,
    },
    { statementNameGenerator: nameOf },
  );
  // Prisma's own limits, 2 and 5 seconds, refuse transactions that only wait for their turn: fifty concurrent changes of
  // one account run one by one. Waiting for a connection and running get the general limit instead.
  const db = new PrismaClient({ adapter, transactionOptions: { maxWait: connectMs, timeout: statementMs } });
  if (parameterOf(url, 'check_rows') === 'on') checkRows(db);
  return db;
}

/**
 * A statement that begins with its name as a comment is planned once per connection. Only for large and frequent ones
 * whose plan does not depend on the values: planning them costs more than running them.
 */
const nameOf = ({ sql }: { readonly sql: string }) => /^\s*\/\* (\w+) \*\//.exec(sql)?.[1] ?? '';

const parameterOf = (url: string, name: string) => new URL(url).searchParams.get(name);

function connectSeconds(url: string): number {
  const named = Number(parameterOf(url, 'connect_timeout'));
  return named > 0 ? named : CONNECT_SECONDS;
}
