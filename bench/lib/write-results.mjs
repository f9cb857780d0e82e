import { writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { inRoot } from '../../scripts/lib/paths.mjs';

/** The machine and the Node that a figure belongs to. */
export const machine = `${cpus().length} cores ${cpus()[0]?.model ?? process.arch}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;

/**
 * Writes `bench/results/NAME.json` with its day and machine. `npm run docs:performance` brings it into the pages, and a
 * test fails until it has.
 * @param {string} name @param {object} results
 */
export function writeResults(name, results) {
  const measuredOn = new Date().toISOString().slice(0, 10);
  const text = JSON.stringify({ measuredOn, machine, ...results }, thousandths, 2);
  writeFileSync(inRoot('bench/results', `${name}.json`), `${text}\n`);
  console.log(`\nwritten to bench/results/${name}.json; npm run docs:performance brings it into the docs`);
}

const thousandths = (_key, value) => (typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value);
