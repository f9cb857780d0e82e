import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readJson, writeJson } from './json-file.mjs';
import { inRoot } from './paths.mjs';

// Lies in node_modules, so that removing node_modules also forgets what was done there.
const file = inRoot('node_modules', '.verdict-stamp.json');

/** @param {'install' | 'generate' | 'dashboard'} step @param {string} fingerprint */
export const isUpToDate = (step, fingerprint) => readJson(file)?.[step] === fingerprint;

/** @param {'install' | 'generate' | 'dashboard'} step @param {string} fingerprint */
export const markDone = (step, fingerprint) => writeJson(file, { ...readJson(file), [step]: fingerprint });

/**
 * The content of files and whatever else decides the result.
 * @param {string[]} files relative to the checkout
 * @param {string[]} facts
 */
export function fingerprintOf(files, facts = []) {
  const hash = createHash('sha256');
  for (const name of files) {
    const full = inRoot(name);
    hash
      .update(`${name}\0`)
      .update(existsSync(full) ? readFileSync(full) : '')
      .update('\0');
  }
  return hash.update(facts.join('\0')).digest('hex');
}

/** Every package.json of the workspace, relative to the checkout. */
export function packageFiles() {
  const members = ['packages', 'services', 'apps'].flatMap((group) =>
    existsSync(inRoot(group)) ? readdirSync(inRoot(group)).map((name) => path.join(group, name)) : [],
  );
  return ['.', 'test', ...members]
    .map((member) => path.join(member, 'package.json'))
    .filter((name) => existsSync(inRoot(name)));
}
