import { withConnection } from '@verdict/db/database/with-connection.js';
import { monthBounds } from '@verdict/domain/month.js';

/** Accounts on a paid plan with a billing profile, one legal entity, and two rollups each in a month. */
export async function fillMonth(url: string, month: string, accounts: number): Promise<void> {
  const { start } = monthBounds(month);
  await withConnection(url, async (client) => {
    await client.query('SELECT ensure_check_partitions($1::date)', [`${month}-01`]);
    await client.query(
      `INSERT INTO accounts (id, name, plan, created_at)
       SELECT 'acc_' || lpad(n::text, 7, '0'), 'Customer ' || n, 'starter', $2 FROM generate_series(1, $1::int) n`,
      [accounts, new Date(start.getTime() - 1_000)],
    );
    await client.query(
      `INSERT INTO legal_entities (id, name, address, country, number_prefix, is_default)
       VALUES ('verdict', 'Verdict GmbH', 'Hauptstraße 1, 10115 Berlin', 'DE', 'INV-', true)`,
    );
    await client.query(
      `INSERT INTO billing_profiles (account_id, address, country, tax_note)
       SELECT id, '1 High Street, London', 'GB', 'Reverse charge' FROM accounts`,
    );
    await client.query(
      `INSERT INTO usage_hourly (account_id, key_id, hour, decision, checks)
       SELECT id, 'key_' || id, $1::timestamptz + h * interval '1 hour', 'allow', 10 FROM accounts, generate_series(1, 2) h`,
      [start],
    );
    await client.query('ANALYZE');
  });
}
