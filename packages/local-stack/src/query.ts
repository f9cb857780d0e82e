import { Client, type QueryResultRow } from 'pg';

/** Asks Postgres one question on a connection for it alone. */
export async function query<Row extends QueryResultRow>(
  url: string,
  text: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return (await client.query<Row>(text, values).finally(() => client.end())).rows;
}
