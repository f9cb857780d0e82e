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

/** A pooled client that connects with the first query. `connect_timeout` in the address has libpq's meaning. */
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
  // Prisma's own limits, 2 and 5 seconds, refuse transactions that only wait for their turn: fifty concurrent changes of
  // one account run one by one. Waiting for a connection and running get the general limit instead.
  return new PrismaClient({ adapter, transactionOptions: { maxWait: connectMs, timeout: statementMs } });
}

function connectSeconds(url: string): number {
  const named = Number(new URL(url).searchParams.get('connect_timeout'));
  return named > 0 ? named : CONNECT_SECONDS;
}
