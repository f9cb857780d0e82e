import { readFileSync } from 'node:fs';
import type { RoleUrls } from './grant-rights.js';
import { SERVICE_ROLES } from './service-rights.js';

/** The settings of the migration command; NAME_FILE may name a file that holds NAME. */
export function config(): { DATABASE_URL: string; roleUrls: RoleUrls } {
  const url = setting('DATABASE_URL');
  if (!url) throw new Error('DATABASE_URL is missing');
  const roles = SERVICE_ROLES.flatMap((role) => {
    const own = setting(`DATABASE_URL_${role.toUpperCase()}`);
    return own ? [[role, own] as const] : [];
  });
  return { DATABASE_URL: url, roleUrls: Object.fromEntries(roles) };
}

function setting(name: string): string | undefined {
  const file = process.env[`${name}_FILE`];
  return file ? readFileSync(file, 'utf8').trim() : process.env[name];
}
