import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inRoot } from './paths.mjs';

/**
 * Reads tap's own stream with tap's own parser: says a line per file, every failure in full, and counts. A plain
 * stream of lines, because tap's live reporters redraw a screen that a CI log does not have.
 * @param {{ say: (text: string) => void, nameOf: (file: string) => string }} options
 */
export function createTapReport({ say, nameOf }) {
  const count = { passed: 0, failed: 0, skipped: 0 };
  const reported = new Set();
  const parser = new (tapParser())();
  let failuresOfFile = [];

  watch(parser, []);
  return {
    count,
    write: (chunk) => parser.write(chunk),
    /** @param {string[]} files A file that never reported (its process or tap itself was killed) has failed. */
    end(files) {
      parser.end();
      for (const file of files.filter((name) => !reported.has(name))) {
        count.failed += 1;
        say(`✖ ${nameOf(file)}\n    no result: it did not run to its end`);
      }
    },
  };

  /** @param {string[]} trail the names of the tests around this level */
  function watch(level, trail) {
    let child = null;
    let failedBefore = count.failed;
    level.on('child', (nested) => {
      child = nested;
      failedBefore = count.failed;
      watch(nested, [...trail, nested.name]);
    });
    level.on('assert', (result) => {
      const inner = child;
      child = null;
      // A test is told by what is inside it. Where there is nothing, or what is inside passed and the test itself
      // did not (a file that crashed or left with an error code), the test is what counts.
      const speaksForItself =
        inner === null || inner.count === 0 || (!result.ok && count.failed === failedBefore);
      if (speaksForItself) take(result, trail);
      if (trail.length === 0) closeFile(result);
    });
  }

  function take(result, trail) {
    if (result.skip || result.todo) count.skipped += 1;
    else if (result.ok) count.passed += 1;
    else {
      count.failed += 1;
      failuresOfFile.push(describe(result, trail.slice(1)));
    }
  }

  function closeFile(result) {
    reported.add(result.name);
    const took = result.time === undefined ? '' : `  ${(result.time / 1000).toFixed(1)} s`;
    say(`${result.ok ? '✔' : '✖'} ${nameOf(result.name)}${took}`);
    for (const failure of failuresOfFile) say(failure);
    failuresOfFile = [];
  }
}

function describe(result, trail) {
  // A test that never finished has no diagnosis at all.
  const diag = result.diag ?? {};
  const parts = [[...trail, result.name].join(' > ')];
  if (diag.at?.fileName) parts.push(`at ${diag.at.fileName}:${diag.at.lineNumber}`);
  for (const field of ['message', 'diff', 'stack', 'exitCode', 'signal']) {
    if (diag[field] !== undefined && diag[field] !== null)
      parts.push(`${field}: ${String(diag[field]).trimEnd()}`);
  }
  return parts
    .join('\n')
    .split('\n')
    .map((line, index) => `${index === 0 ? '    ✖ ' : '      '}${line}`)
    .join('\n');
}

/** The parser is a dependency of tap, not of ours: it is looked up from where tap finds it. */
function tapParser() {
  const tap = createRequire(realpathSync(inRoot('node_modules/tap/package.json')));
  return createRequire(tap.resolve('@tapjs/core'))('tap-parser').Parser;
}
