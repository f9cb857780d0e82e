import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from '../generated/client.js';

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

/** A pooled client. Nothing is opened until the first query. `connect_timeout` in the address means what it does in libpq. */
export function connectDatabase(options: DatabaseOptions): Database {
  const { url, name, connectionsMax = 4, statementMs = STATEMENT_MS } = options;
  const connectMs = connectSeconds(url) * 1_000;
  const adapter = new PrismaPg({
    connectionString: url,
    application_name: name,
    max: connectionsMax,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
  });
  // Prisma's own bounds, 2 and 5 seconds, refuse what only waits for its turn: fifty changes of one account at once go one
  // by one. A transaction may wait for a connection, and last, as long as everything else may.
  return new PrismaClient({ adapter, transactionOptions: { maxWait: connectMs, timeout: statementMs } });
}

function connectSeconds(url: string): number {
  const named = Number(new URL(url).searchParams.get('connect_timeout'));
  return named > 0 ? named : CONNECT_SECONDS;
}
