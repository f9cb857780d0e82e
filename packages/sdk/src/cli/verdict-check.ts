#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { setting } from '../config.js';
import { checkFile } from './check-file.js';
import { exitCodeOf } from './exit-code.js';

const USAGE = `verdict-check [--file people.csv] [--out result.csv] [--column NAME]
verdict-check --job job_... [--out result.csv]

Checks every address of a file: CSV, NDJSON (.ndjson) or a JSON array (.json). Reads standard input without --file and
writes standard output without --out; a name that ends in .ndjson gets NDJSON. Needs VERDICT_URL and VERDICT_API_KEY.

Exit codes: 0 done, 1 error, 2 wrong usage or unreadable file, 3 the job paused or failed, 4 the key was refused,
5 the service is unavailable, 130 interrupted.
`;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function readOptions(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      file: { type: 'string' },
      job: { type: 'string' },
      out: { type: 'string' },
      column: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  return values;
}

const interrupted = new AbortController();
process.once('SIGINT', () => interrupted.abort());
try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(USAGE);
  else {
    process.exitCode = await checkFile(
      { ...options, baseUrl: setting('VERDICT_URL'), apiKey: setting('VERDICT_API_KEY') },
      {
        input: process.stdin,
        output: process.stdout,
        screen: process.stderr,
        say,
        signal: interrupted.signal,
      },
    );
  }
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = exitCodeOf(error);
}
