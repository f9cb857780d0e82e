import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Before anything is installed or built: whoever lacks a Redis should not learn it minutes later. Where apt can bring
 * one without asking anybody, packages/local-stack does so in time.
 * @param {{ directories?: string[], uid?: number }} machine where programs are, and who asks
 */
export function requireRedis({ directories = searched(), uid = process.getuid?.() } = {}) {
  const found = directories.some((directory) =>
    ['redis-server', 'valkey-server'].some((name) => isExecutable(path.join(directory || '.', name))),
  );
  if (found || (isDebian() && uid === 0)) return;
  throw new Error(`Redis is needed. ${advice()} Or set REDIS_URL to a server you have.`);
}

// Debian keeps servers in sbin for some versions, and a user's PATH may leave it out.
const searched = () => [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const isDebian = () =>
  existsSync('/etc/os-release') &&
  /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));

function advice() {
  if (process.platform === 'darwin') return 'Install it with: brew install redis.';
  if (isDebian()) return 'Install it with: sudo apt-get install redis-server.';
  if (existsSync('/etc/fedora-release')) return 'Install it with: sudo dnf install valkey.';
  if (existsSync('/etc/alpine-release')) return 'Install it with: apk add redis.';
  return 'Install redis-server or valkey-server with your package manager.';
}
