// `node scripts/make-secrets.mjs [folder]` creates every missing secret that docker-compose.yml names. It never changes
// an existing file, so running it again is harmless.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { REDIS_USERS, redisAclFile } from './lib/redis-acl.mjs';
import { createSigningJwk, publicKeySet } from './lib/signing-jwk.mjs';

const folder = path.resolve(process.argv[2] ?? 'secrets');
// No other user of this machine may enter the folder. The files are readable by all, because a container sees only its
// own file and reads it as another user.
mkdirSync(folder, { recursive: true, mode: 0o700 });
chmodSync(folder, 0o700);

const random = () => randomBytes(32).toString('base64url');
const made = [];

/** @returns {string} the content of the file, which is made if it is missing */
function secret(name, make) {
  const file = path.join(folder, name);
  if (!existsSync(file)) {
    writeFileSync(file, make(), { mode: 0o444, flag: 'wx' });
    made.push(name);
  }
  return readFileSync(file, 'utf8').trim();
}

const postgresPassword = secret('postgres_password', random);
secret('database_url', () => `postgresql://verdict:${postgresPassword}@postgres:5432/verdict`);
// Roles of the services: `verdict migrate` makes them with these passwords and gives each its rights.
for (const role of ['control_plane', 'worker', 'operator']) {
  secret(`database_url_${role}`, () => `postgresql://verdict_${role}:${random()}@postgres:5432/verdict`);
}

const passwords = {};
for (const user of Object.keys(REDIS_USERS)) {
  const name = user.replaceAll('-', '_');
  passwords[user] = secret(`redis_password_${name}`, random);
  secret(`redis_url_${name}`, () => `redis://${user}:${passwords[user]}@redis:6379`);
}
secret('redis_acl', () => redisAclFile(passwords));

secret('internal_token', random);
secret('email_hash_secret', random);
secret('secrets_key', random);
secret('operator_token', random);
// Yours to fill in: smtps://user:password@host, and the key that releases of lists are signed with.
secret('smtp_url', () => '');
secret('datasets_signing_key', () => '');
const signing = secret('jwt_signing_key', () => JSON.stringify(createSigningJwk()));
secret('jwt_public_keys', () => publicKeySet(JSON.parse(signing)));

console.log(made.length === 0 ? `${folder} is complete.` : `Made in ${folder}: ${made.join(', ')}`);
