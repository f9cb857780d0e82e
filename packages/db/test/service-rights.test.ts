import { createDatabase } from '@verdict/local-stack/create-database.js';
import { Client } from 'pg';
import t, { type Test } from 'tap';
import { dataTables } from '../src/database/data-tables.js';
import { grantRights } from '../src/database/grant-rights.js';
import { SERVICE_RIGHTS, SERVICE_ROLES, type ServiceRole } from '../src/database/service-rights.js';

/**
 * An attacker who takes over a service has the rights of its role. Every test with a stack shows that these rights
 * suffice.
 */
const database = await createDatabase();
t.teardown(() => database.drop());

async function connected(t: Test, url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  t.teardown(() => client.end());
  return client;
}

const owner = await connected(t, database.url);
await owner.query(`
  INSERT INTO accounts (id, name, plan) VALUES ('acc_1', 'one', 'free');
  INSERT INTO users (id, account_id, email, password_hash) VALUES ('usr_1', 'acc_1', 'jane@example.com', 'secret');
  INSERT INTO audit_events (id, account_id, action, ip) VALUES ('evt_1', 'acc_1', 'key.created', '192.0.2.1')`);

/** Actions that each role must be refused. */
const FORBIDDEN: Readonly<
  Record<string, { readonly to: readonly ServiceRole[]; readonly sql: readonly string[] }>
> = {
  'write checks': {
    to: ['control_plane', 'operator'],
    sql: [
      `INSERT INTO check_logs (id, account_id, key_id, decision, risk_score, signals, factors, datasets, request_id, created_at)
       VALUES ('log_1', 'acc_1', 'key_1', 'allow', 0, '{}', '[]', 'x', 'x', now())`,
    ],
  },
  'change or delete a check': {
    to: SERVICE_ROLES,
    sql: [`UPDATE check_logs SET account_id = 'acc_2'`, 'DELETE FROM check_logs', 'TRUNCATE check_logs'],
  },
  'change what was counted': {
    to: ['control_plane'],
    sql: [
      `INSERT INTO usage_hourly (account_id, key_id, hour, decision, checks) VALUES ('acc_1', 'key_1', now(), 'allow', 1)`,
      'UPDATE usage_hourly SET checks = 0',
      'DELETE FROM usage_hourly',
      `INSERT INTO usage_adjustments (account_id, key_id, hour, decision, checks, reason)
       VALUES ('acc_1', 'key_1', now(), 'allow', 1, 'late')`,
      `SELECT rebuild_usage('2026-11-01')`,
    ],
  },
  'bill, or close a month': {
    to: ['control_plane'],
    sql: [
      `UPDATE billing_periods SET status = 'closed'`,
      `SELECT freeze_billing_month('2026-10-01')`,
      `SELECT state_billing_month('2026-10-01', '{}')`,
      `SELECT issue_invoices('2026-11-01')`,
      `INSERT INTO manual_adjustments (account_id, kind, amount, reason, author) VALUES ('acc_1', 'credit', -1, 'x', 'x')`,
      'UPDATE legal_entities SET next_number = 1',
    ],
  },
  'take a payment back': {
    to: ['control_plane', 'worker'],
    sql: [`SELECT credit_invoice('X-1', 1, 0, 'x', 'x', '2026-11-01')`],
  },
  'write or rewrite a statement or an invoice by hand': {
    to: SERVICE_ROLES,
    sql: [
      `INSERT INTO statements (month, account_id, plan, entitled, used, adjusted, over, by_decision, by_key, closed_at, text, checksum)
       VALUES ('2026-10-01', 'acc_1', 'free', 0, 0, 0, 0, '{}', '{}', now(), 'x', 'x')`,
      'UPDATE statements SET used = 0',
      'DELETE FROM statements',
      'TRUNCATE statements',
      'UPDATE invoices SET total = 0',
      'DELETE FROM invoices',
      'UPDATE manual_adjustments SET amount = 0',
    ],
  },
  'read who somebody is, or how they log in': {
    to: ['worker'],
    sql: [
      'SELECT password_hash FROM users',
      'SELECT * FROM users',
      'SELECT * FROM sessions',
      'SELECT * FROM mail_tokens',
      'SELECT * FROM second_factors',
      'SELECT * FROM recovery_codes',
      'SELECT secret_hash FROM api_keys',
      'SELECT * FROM retired_secrets',
    ],
  },
  'change people, keys and plans': {
    to: ['worker'],
    sql: [
      `UPDATE users SET password_hash = 'mine'`,
      'DELETE FROM users',
      `INSERT INTO users (id, account_id, email, password_hash) VALUES ('usr_2', 'acc_1', 'x@example.com', 'x')`,
      `UPDATE api_keys SET secret_hash = 'mine'`,
      `UPDATE accounts SET plan = 'scale'`,
      'DELETE FROM accounts',
      `INSERT INTO plan_changes (account_id, to_plan, effective_at, made_by) VALUES ('acc_1', 'scale', now(), 'x')`,
      `INSERT INTO list_entries (id, account_id, list, kind, value) VALUES ('x', 'acc_1', 'allow', 'domain', 'x.example')`,
    ],
  },
  'make operators': {
    to: ['control_plane', 'worker'],
    sql: [
      'UPDATE users SET operator = true',
      `INSERT INTO users (id, account_id, email, password_hash, operator) VALUES ('usr_3', 'acc_1', 'y@example.com', 'x', true)`,
    ],
  },
  'rewrite the audit log': {
    to: ['control_plane', 'worker'],
    sql: [`UPDATE audit_events SET details = '{}'`, 'UPDATE audit_events SET ip = NULL'],
  },
  'delete from the audit log, or forge who did it': {
    to: SERVICE_ROLES,
    sql: [
      'DELETE FROM audit_events',
      'TRUNCATE audit_events',
      `UPDATE audit_events SET action = 'x'`,
      `UPDATE audit_events SET user_id = 'usr_2'`,
    ],
  },
  'read mails that wait': { to: ['control_plane', 'operator'], sql: ['SELECT * FROM outgoing_mails'] },
  'drop addresses or checks by the month': {
    to: ['control_plane', 'operator'],
    sql: [
      `SELECT drop_check_subjects('2026-01-01')`,
      `SELECT drop_archived_checks('2026-01-01', '{}', '{}', '{}', '')`,
    ],
  },
  'change the schema': {
    to: SERVICE_ROLES,
    sql: [
      'CREATE TABLE mine (n int)',
      'ALTER TABLE accounts ADD COLUMN mine int',
      'DROP TABLE check_logs',
      'ALTER TABLE statements DISABLE TRIGGER ALL',
      'CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$',
      `UPDATE _prisma_migrations SET checksum = 'x'`,
      'CREATE ROLE mine',
      'SET ROLE verdict',
    ],
  },
};

t.test('no role can do what is not its own', async (t) => {
  for (const role of SERVICE_ROLES) {
    const client = await connected(t, database.urlOf(role));
    for (const [what, { to, sql }] of Object.entries(FORBIDDEN)) {
      if (!to.includes(role)) continue;
      for (const statement of sql) {
        // 42501: the server says so before it has looked at a row.
        await t.rejects(client.query(statement), { code: '42501' }, `${role} cannot ${what}: ${statement}`);
      }
    }
  }
});

t.test('granting to others grants nothing where the right itself is missing', async (t) => {
  const client = await connected(t, database.urlOf('control_plane'));
  // Postgres only warns: a right without the grant option passes nothing on.
  await client.query('GRANT SELECT ON accounts TO PUBLIC');
  const worker = await connected(t, database.urlOf('worker'));
  await t.rejects(worker.query('SELECT password_hash FROM users'), { code: '42501' });
  const { rows } = await owner.query(
    `SELECT FROM information_schema.table_privileges WHERE grantee = 'PUBLIC' AND table_schema = 'public'`,
  );
  t.equal(rows.length, 0, 'nothing of ours is everybody’s');
});

t.test(
  'the audit log of an account is thinned out only once it is gone, and addresses only by age',
  async (t) => {
    const plane = await connected(t, database.urlOf('control_plane'));
    t.match(await plane.query(`SELECT forget_audit_of('acc_1') AS rows`), { rows: [{ rows: 0 }] });
    const worker = await connected(t, database.urlOf('worker'));
    await worker.query(`SELECT forget_audit_ips(now() - interval '1 day')`);
    t.match((await owner.query(`SELECT ip FROM audit_events WHERE id = 'evt_1'`)).rows, [
      { ip: '192.0.2.1' },
    ]);
  },
);

t.test('functions with the rights of the owner look only at our tables and are nobody else’s', async (t) => {
  const { rows } = await owner.query<{ name: string; settings: string[]; open: boolean }>(`
    SELECT p.oid::regprocedure::text AS name, coalesce(p.proconfig, '{}') AS settings,
           has_function_privilege('billing_reader', p.oid, 'EXECUTE') AS open
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef ORDER BY 1`);
  t.ok(rows.length > 5);
  for (const { name, settings, open } of rows) {
    t.match(settings, [/^search_path=.*public.*, pg_temp$/], name);
    t.notOk(open, `${name} is not everybody’s`);
  }
  const worker = await connected(t, database.urlOf('worker'));
  // A table of the caller's own with our name: the trigger on it would run as the owner.
  await worker.query(`
    CREATE TEMPORARY TABLE audit_events (ip text, created_at timestamptz);
    INSERT INTO audit_events VALUES ('192.0.2.9', '2020-01-01')`);
  t.match(await worker.query(`SELECT forget_audit_ips('2021-01-01') AS rows`), { rows: [{ rows: 0 }] });
});

t.test('every table is somebody’s', async (t) => {
  const named = new Set(SERVICE_ROLES.flatMap((role) => Object.keys(SERVICE_RIGHTS[role].tables)));
  const tables = await dataTables(owner);
  t.strictSame(
    tables.filter((table) => !named.has(table)),
    [],
    'a table that no service may use is of no use',
  );
});

t.test(
  'granting again changes nothing, takes back what was given by hand, and follows a new password',
  async (t) => {
    const role = `guest_${database.name}`;
    const url = new URL(database.url);
    url.username = role;
    url.password = 'first password';
    t.teardown(async () => {
      await owner.query(`DROP OWNED BY ${role}`);
      await owner.query(`DROP ROLE ${role}`);
    });
    t.strictSame(await grantRights(database.url, { worker: url.href }), ['worker']);
    await owner.query(
      `GRANT SELECT ON users, sessions TO ${role}; GRANT SELECT (password_hash) ON users TO ${role}`,
    );
    t.strictSame(await grantRights(database.url, { worker: url.href }), ['worker']);
    const client = await connected(t, url.href);
    await t.resolves(client.query('SELECT count(*) FROM check_logs'));
    await t.rejects(client.query('SELECT password_hash FROM users'), { code: '42501' });
    await t.rejects(client.query('SELECT * FROM sessions'), { code: '42501' });
    url.password = "second'password";
    await t.rejects(new Client({ connectionString: url.href }).connect(), { code: '28P01' });
    await grantRights(database.url, { worker: url.href });
    await t.resolves(connected(t, url.href));
  },
);

t.test(
  'who connects as the owner has no role; without the right to make one a sentence says what to do',
  async (t) => {
    t.strictSame(await grantRights(database.url, { worker: database.url, control_plane: database.url }), []);
    const plain = `plain_${database.name}`;
    await owner.query(`CREATE ROLE ${plain} LOGIN PASSWORD 'plain' NOCREATEROLE`);
    t.teardown(() => owner.query(`DROP ROLE ${plain}`));
    const asPlain = new URL(database.url);
    asPlain.username = plain;
    asPlain.password = 'plain';
    const missing = new URL(database.url);
    missing.username = `missing_${database.name}`;
    await t.rejects(
      grantRights(asPlain.href, { worker: missing.href }),
      /the role missing_\w+ does not exist, and the owner may not change that: have an administrator run/,
    );
  },
);
