import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapter, SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import type { Client } from 'pg';

export interface MigrationAdapter {
  readonly factory: SqlMigrationAwareDriverAdapterFactory;
  close(): Promise<void>;
}

/**
 * Prisma's adapter splits a script at every semicolon, which cuts functions in two and leaves half a migration behind
 * when a later statement fails. Sent whole, over the given connection, Postgres runs it as one transaction.
 */
export function createMigrationAdapter(databaseUrl: string, scripts: Client): MigrationAdapter {
  const pg = new PrismaPg({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  const open: SqlDriverAdapter[] = [];
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: pg.provider,
    adapterName: pg.adapterName,
    async connect() {
      const adapter = await pg.connect();
      adapter.executeScript = async (script) => {
        await scripts.query(script);
      };
      open.push(adapter);
      return adapter;
    },
    connectToShadowDb: () => pg.connectToShadowDb(),
  };
  return {
    factory,
    async close() {
      await Promise.all(open.map((adapter) => adapter.dispose()));
    },
  };
}
