import type { Client } from 'pg';
import { withConnection } from './with-connection.js';

/** A name that the server does not know, or knows already from another client. */
const FORGOTTEN = ['26000', '42P05'];
const PROBE = { name: 'verdict_probe', text: 'SELECT 1' };

/**
 * Names a pooler that gives a transaction another server connection without the statements prepared on the last one. The
 * worker would retry for ever there, and its queue would hardly drain.
 */
export const poolerWarnings = (url: string): Promise<string[]> =>
  withConnection(url, (client) => withConnection(url, (other) => warningsOf(client, other)));

/** Prepares a statement, lets another client take that server connection, and runs the statement again. */
export async function warningsOf(client: Client, other: Client): Promise<string[]> {
  await client.query(PROBE);
  await other.query('BEGIN');
  try {
    await client.query(PROBE);
    return [];
  } catch (error) {
    if (!FORGOTTEN.includes((error as { code?: string }).code ?? '')) throw error;
    return [
      'The pooler in front of Postgres forgets prepared statements: use session mode, or PgBouncer 1.21 or newer with max_prepared_statements',
    ];
  } finally {
    await other.query('ROLLBACK');
  }
}
