import type { Prisma } from '../generated/client.js';
import type { PrismaPromise } from '../generated/internal/prismaNamespace.js';
import type { Database } from './client.js';
import { requireShape, type Shape, schemaOf } from './columns.js';

const checked = new WeakSet<Database>();

/** Makes this client compare every row with its shape; for tests, which run every statement. */
export const checkRows = (db: Database): unknown => checked.add(db);

/**
 * The one way to read rows with SQL: the shape is their type, so that a statement and its type cannot drift apart
 * unseen.
 *
 *     const [job] = await rowsOf(db, { id: text, rows: int })`SELECT id, rows FROM bulk_jobs WHERE id = ${id}`;
 *     const keys = await rowsOf(db, columnsOf('apiKey'))`SELECT ${SHOWN} FROM api_keys`;
 */
export const rowsOf =
  <Row>(db: Database, shape: Shape<Row>) =>
  (statement: TemplateStringsArray | Prisma.Sql, ...values: readonly unknown[]): PrismaPromise<Row[]> =>
    (checked.has(db) ? checking(db, shape) : db).$queryRaw<Row[]>(statement, ...values);

const checking = <Row>(db: Database, shape: Shape<Row>) =>
  db.$extends({
    query: {
      async $queryRaw({ args, query }) {
        const rows: unknown[] = await query(args);
        const schemas = schemaOf(shape) && (await import('@verdict/contracts/row-schemas.js'));
        for (const row of rows) requireShape(row, shape, args.sql, schemas?.misfitOfSchema);
        return rows;
      },
    },
  });
