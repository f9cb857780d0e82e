import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { type DatabaseRole, roleUrl } from './database-roles.js';
import { TEMPLATE, testServer } from './test-server.js';

export interface TestDatabase {
  /** As its owner. */
  readonly url: string;
  /** As a service reaches it, with the rights of that service alone. */
  urlOf(role: DatabaseRole): string;
  readonly name: string;
  drop(): Promise<void>;
}

/** A database of this test's own, with every migration applied: a clone of the template. */
export async function createDatabase(template: string = TEMPLATE): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const { url: server } = await testServer();
  await asSuperuser(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  // A test is not about a machine that is busy with other tests.
  url.searchParams.set('connect_timeout', '60');
  return {
    url: url.href,
    urlOf: (role) => roleUrl(url.href, role),
    name,
    drop: () => asSuperuser(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** One without any table. */
export const createEmptyDatabase = (): Promise<TestDatabase> => createDatabase('template0');

async function asSuperuser(server: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
