import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import { run } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { TestProgram } from './test-programs.js';

export interface Count {
  /** Named tests, each counted once whatever the number of its assertions. */
  passed: number;
  /** Assertions, so that no failure is hidden behind another of the same test. */
  failed: number;
  skipped: number;
}

interface Setting {
  readonly count: Count;
  /** Processes at a time, beyond one for each core. */
  readonly besideCores: number;
  readonly signal: AbortSignal;
  say(text: string): void;
}

const TIMEOUT_MS = Number(process.env.TEST_TIMEOUT_SECONDS ?? 900) * 1000;

/** Runs and counts tests with Node's own runner, and prints a line for each process and every failure in full. */
export async function runTests(
  programs: readonly TestProgram[],
  { count, besideCores, signal, say }: Setting,
): Promise<void> {
  const titles = new Map(programs.map(({ file, title }) => [file, title]));
  // tap gives a test 30 seconds unless it hears otherwise.
  process.env.TAP_TIMEOUT = String(TIMEOUT_MS / 1000);
  setMaxListeners(programs.length + 10, signal); // every process listens for an interrupt
  const concurrency = Math.min(availableParallelism() + besideCores, 6);
  const stream = run({ files: [...titles.keys()], concurrency, timeout: TIMEOUT_MS, signal });
  stream.on('test:pass', ({ skip, todo, details, name }) => {
    // A test without an assertion, such as a property, is skipped with `true`; a skipped one has its reason.
    if (typeof skip === 'string' || todo) count.skipped += 1;
    else if (!titles.has(name) && (details.type === 'suite' || skip === true)) count.passed += 1;
  });
  stream.on('test:fail', ({ name, file, line, details, todo }) => {
    if (todo) count.skipped += 1;
    else if (details.type !== 'suite') {
      count.failed += 1;
      const { message, stack } = asError(details.error.cause ?? details.error);
      const program = titles.get(name);
      const title = program ? `${program} did not run to its end` : `${name} (${file}:${line})`;
      say(`    ✖ ${title}\n${indent(stack ?? message)}`);
    }
  });
  stream.on('test:stderr', ({ message }) => void process.stderr.write(message));
  stream.on('test:complete', ({ name, details }) => {
    const title = titles.get(name);
    if (title) say(`${details.passed ? '✔' : '✖'} ${title}  ${(details.duration_ms / 1000).toFixed(1)} s`);
  });
  for await (const _event of stream);
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));
const indent = (text: string): string => stripVTControlCharacters(text).trimEnd().replaceAll(/^/gm, '      ');
