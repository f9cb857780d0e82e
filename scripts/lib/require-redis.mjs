import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Before anything is installed or built: whoever lacks a Redis should not learn it minutes later. Where apt can bring
 * one without asking anybody, packages/local-stack does so in time.
 */
export function requireRedis() {
  if (isOnPath('redis-server') || isOnPath('valkey-server')) return;
  if (isDebian() && process.getuid?.() === 0) return;
  throw new Error(`Redis is needed. ${advice()} Or set REDIS_URL to a server you have.`);
}

/** @param {string} name */
function isOnPath(name) {
  // Debian keeps servers in sbin for some versions, and a user's PATH may leave it out.
  const directories = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.some((directory) => {
    try {
      accessSync(path.join(directory || '.', name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
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
