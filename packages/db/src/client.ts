import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';

export type Database = PrismaClient;

interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly connectionsMax?: number;
}

const CONNECT_SECONDS = 3;

/** A pooled client. Nothing is opened until the first query. `connect_timeout` in the address means what it does in libpq. */
export function connectDatabase({ url, name, connectionsMax = 4 }: DatabaseOptions): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    application_name: name,
    max: connectionsMax,
    connectionTimeoutMillis: connectSeconds(url) * 1_000,
    statement_timeout: 30_000,
  });
  return new PrismaClient({ adapter });
}

function connectSeconds(url: string): number {
  const named = Number(new URL(url).searchParams.get('connect_timeout'));
  return named > 0 ? named : CONNECT_SECONDS;
}
