import { PrismaPg } from '@prisma/adapter-pg';
import { ColumnTypeEnum, type SqlMigrationAwareDriverAdapterFactory } from '@prisma/driver-adapter-utils';

/** Postgres' one-byte "char", which its catalogue uses and Prisma's adapter does not know, and what it is shown as. */
const CHAR = 18;
const TEXT = 25;

interface Inside {
  performIO(query: unknown): Promise<{ readonly fields: { dataTypeID: number }[] }>;
}

/** Prisma's adapter, over a database that is only looked at. */
export function createDriftAdapter(databaseUrl: string): SqlMigrationAwareDriverAdapterFactory {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const database = pathname.slice(1);
  const pg = new PrismaPg({ host: hostname, port: Number(port), user: username, password, database });
  return {
    provider: pg.provider,
    adapterName: pg.adapterName,
    connectToShadowDb: () => pg.connectToShadowDb(),
    async connect() {
      const adapter = await pg.connect();
      const inside = adapter as unknown as Inside;
      const { performIO } = inside;
      const { queryRaw } = adapter;
      let characters: boolean[] = [];
      inside.performIO = async (query) => {
        const result = await performIO.call(adapter, query);
        characters = result.fields?.map(({ dataTypeID }) => dataTypeID === CHAR) ?? [];
        for (const field of result.fields ?? []) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
        return result;
      };
      adapter.queryRaw = async (query) => {
        const result = await queryRaw.call(adapter, query);
        const columnTypes = result.columnTypes.map((type, i) =>
          characters[i] ? ColumnTypeEnum.Character : type,
        );
        return { ...result, columnTypes };
      };
      return adapter;
    },
  };
}
