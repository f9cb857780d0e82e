import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from 'pg';
import { SERVICE_RIGHTS, SERVICE_ROLES, type ServiceRole } from './service-rights.js';

/** How each service will connect; the user and password in it are those of its role. */
export type RoleUrls = Readonly<Partial<Record<ServiceRole, string>>>;

const CONNECT_MS = 5_000;
/** Any number that is otherwise unused in this database. */
const LOCK = 7_211_006;
const REFUSED_LOGIN = new Set(['28P01', '28000']);

/**
 * Gives each service exactly its rights in one transaction and returns the services with a role. Missing roles and
 * passwords are created, which needs CREATEROLE or an administrator beforehand; a service that connects as the owner
 * has no role.
 */
export async function grantRights(ownerUrl: string, urls: RoleUrls): Promise<ServiceRole[]> {
  const owner = userOf(ownerUrl);
  const wanted = SERVICE_ROLES.flatMap((service) => {
    const url = urls[service];
    return url === undefined || userOf(url) === owner ? [] : [{ service, url }];
  });
  if (wanted.length === 0) return [];
  const client = new Client({ connectionString: ownerUrl, connectionTimeoutMillis: CONNECT_MS });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [LOCK]);
    for (const { url } of wanted) if (!(await opens(url))) await makeRole(client, url);
    await client.query('BEGIN');
    // Before Postgres 15 every role could create tables there.
    await client.query('REVOKE CREATE ON SCHEMA "public" FROM PUBLIC');
    for (const { service, url } of wanted) await client.query(grants(service, userOf(url)));
    await client.query('COMMIT');
    return wanted.map(({ service }) => service);
  } finally {
    await client.end();
  }
}

/** The statements that take everything from a role and give it what its service needs. */
function grants(service: ServiceRole, user: string): string {
  const role = escapeIdentifier(user);
  const { tables, functions } = SERVICE_RIGHTS[service];
  return [
    `REVOKE ALL ON ALL TABLES IN SCHEMA "public" FROM ${role}`,
    `REVOKE ALL ON ALL FUNCTIONS IN SCHEMA "public" FROM ${role}`,
    `GRANT USAGE ON SCHEMA "public" TO ${role}`,
    ...Object.entries(tables).map(([table, rights]) => `GRANT ${rights} ON "public"."${table}" TO ${role}`),
    ...functions.map((name) => `GRANT EXECUTE ON FUNCTION "public".${name} TO ${role}`),
  ].join(';\n');
}

async function opens(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof DatabaseError && REFUSED_LOGIN.has(error.code ?? '')) return false;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function makeRole(client: Client, url: string): Promise<void> {
  const user = userOf(url);
  const role = escapeIdentifier(user);
  const password = escapeLiteral(decodeURIComponent(new URL(url).password));
  const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [user]);
  try {
    await client.query(`${rowCount ? 'ALTER' : 'CREATE'} ROLE ${role} LOGIN PASSWORD ${password}`);
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== '42501') throw error;
    const what = rowCount ? 'cannot log in with the password of its address' : 'does not exist';
    throw new Error(
      `the role ${user} ${what}, and the owner may not change that: have an administrator run CREATE or ALTER ROLE ${role} LOGIN PASSWORD '…', then migrate again`,
      { cause: error },
    );
  }
}

const userOf = (url: string): string => decodeURIComponent(new URL(url).username);
