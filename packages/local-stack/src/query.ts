import { Pool, type QueryResultRow } from 'pg';

/** A pool as one function. */
export function openSql(connectionString: string) {
  const pool = new Pool({ connectionString, max: 4 });
  pool.on('error', () => {}); // a test may take the server away; the query that notices says so
  return {
    sql: async <Row extends QueryResultRow>(text: string, values: readonly unknown[] = []) =>
      (await pool.query<Row>(text, [...values])).rows,
    end: () => pool.end(),
  };
}

/** Asks Postgres one question on a connection for it alone. */
export function query<Row extends QueryResultRow>(url: string, text: string, values?: readonly unknown[]) {
  const { sql, end } = openSql(url);
  return sql<Row>(text, values).finally(end);
}
