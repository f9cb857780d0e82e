// `node scripts/make-secrets.mjs [folder]` creates every missing secret that docker-compose.yml names. It never changes
// an existing file, so running it again is harmless. `--rotate NAME` gives a Redis user a second password, or a secret a
// second value, and `--retire NAME` takes the first one away; docs/operations.md has the steps between.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { REDIS_USERS, redisAclFile, withUsers } from './lib/redis-acl.mjs';
import { createSigningJwk, publicKeySet } from './lib/signing-jwk.mjs';

const { values: wish, positionals } = parseArgs({
  options: { rotate: { type: 'string' }, use: { type: 'string' }, retire: { type: 'string' } },
  allowPositionals: true,
});
const folder = path.resolve(positionals[0] ?? 'secrets');
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

/** Writes into the file that is there, because a container sees that one and no other of its name. */
function replace(name, content) {
  const file = path.join(folder, name);
  chmodSync(file, 0o644);
  writeFileSync(file, content);
  chmodSync(file, 0o444);
  made.push(name);
}

/** Secrets of which services take `new,old`. */
const LISTS = ['internal-token', 'secrets-key'];
const SIGNING = 'jwt-signing-key';
const known = [...Object.keys(REDIS_USERS), ...LISTS, SIGNING, 'operator-token'];
for (const name of Object.values(wish)) {
  if (!known.includes(name)) throw new Error(`${name} is none of ${known.join(', ')}`);
}
if (wish.use !== undefined && wish.use !== SIGNING) throw new Error(`--use is for ${SIGNING} alone`);

const passwords = {};
for (const user of Object.keys(REDIS_USERS)) {
  const name = user.replaceAll('-', '_');
  const old = path.join(folder, `redis_password_${name}_old`);
  let password = secret(`redis_password_${name}`, random);
  if (wish.rotate === user) {
    if (existsSync(old)) throw new Error(`${user} has two passwords already: retire the older one first`);
    secret(path.basename(old), () => password);
    password = random();
    replace(`redis_password_${name}`, password);
  }
  if (wish.retire === user) rmSync(old, { force: true });
  // The administrator is a person, so no service gets an address with its password.
  if (user !== 'admin') {
    const url = `redis://${user}:${password}@redis:6379`;
    if (secret(`redis_url_${name}`, () => url) !== url && wish.rotate === user) {
      replace(
        `redis_url_${name}`,
        readFileSync(path.join(folder, `redis_url_${name}`), 'utf8').replace(/:[^:@]*@/, `:${password}@`),
      );
    }
  }
  passwords[user] = existsSync(old) ? [readFileSync(old, 'utf8').trim(), password] : [password];
}
const acl = redisAclFile(passwords);
const aclNow = secret('redis_acl', () => acl);
const aclNext = withUsers(aclNow, acl, [wish.rotate, wish.retire]);
if (aclNext !== `${aclNow}\n`) replace('redis_acl', aclNext);

secret('email_hash_secret', random);
for (const name of LISTS) {
  const file = name.replaceAll('-', '_');
  const values = secret(file, random).split(',');
  if (wish.rotate === name) {
    if (values.length > 1) throw new Error(`${name} has two values already: retire the older one first`);
    replace(file, `${random()},${values[0]}`);
  }
  if (wish.retire === name && values.length > 1) replace(file, values[0]);
}
secret('operator_token', random);
if (wish.rotate === 'operator-token') replace('operator_token', random());
// Yours to fill in: smtps://user:password@host, and the key that releases of lists are signed with.
secret('smtp_url', () => '');
secret('datasets_signing_key', () => '');
// Gateways must know a public key before tokens are signed with it, and the old one until its last token has expired.
const signing = JSON.parse(secret('jwt_signing_key', () => JSON.stringify(createSigningJwk())));
const publicKeys = JSON.parse(secret('jwt_public_keys', () => publicKeySet(signing)));
const next = path.join(folder, 'jwt_signing_key_next');
if (wish.rotate === SIGNING) {
  if (publicKeys.keys.length > 1)
    throw new Error(`${SIGNING} has two keys already: retire the older one first`);
  const jwk = JSON.parse(secret('jwt_signing_key_next', () => JSON.stringify(createSigningJwk())));
  replace('jwt_public_keys', publicKeySet(jwk, signing));
}
if (wish.use === SIGNING) {
  if (!existsSync(next)) throw new Error(`there is no next key: --rotate ${SIGNING} comes first`);
  replace('jwt_signing_key', readFileSync(next, 'utf8'));
  rmSync(next);
}
if (wish.retire === SIGNING) {
  if (existsSync(next)) throw new Error(`the new key is not in use: --use ${SIGNING} comes first`);
  replace('jwt_public_keys', publicKeySet(signing));
}

console.log(made.length === 0 ? `${folder} is complete.` : `Made in ${folder}: ${made.join(', ')}`);
