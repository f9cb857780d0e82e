import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';

export type Database = PrismaClient;

interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly connectionsMax?: number;
}

/** A pooled client. Nothing is opened until the first query. */
export function connectDatabase({ url, name, connectionsMax = 4 }: DatabaseOptions): Database {
  const adapter = new PrismaPg({
    connectionString: url,
    application_name: name,
    max: connectionsMax,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 30_000,
  });
  return new PrismaClient({ adapter });
}
