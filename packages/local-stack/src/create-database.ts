import { randomBytes } from 'node:crypto';
import { type DatabaseRole, roleUrl } from './database-roles.js';
import { query } from './query.js';
import { TEMPLATE, testServerUrl } from './test-server.js';

export type TestDatabase = Awaited<ReturnType<typeof createDatabase>>;

/** A database of this test's own, with every migration applied: a clone of the template, on the server of the run unless told. `template0` is empty. */
export async function createDatabase(template: string = TEMPLATE, own?: string) {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const server = own ?? (await testServerUrl());
  await query(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  // A test is not about a machine that is busy with other tests.
  url.searchParams.set('connect_timeout', '60');
  // Every row that a statement reads must be of the shape it is read as.
  url.searchParams.set('check_rows', 'on');
  return {
    /** As its owner. */
    url: url.href,
    /** As a service reaches it, with the rights of that service alone. */
    urlOf: (role: DatabaseRole) => roleUrl(url.href, role),
    name,
    drop: () => query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}
