import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Parser } from 'tap-parser';

export interface Named {
  readonly green: Set<string>;
  /** The test of the file that each of them is, or is within. */
  readonly within: Map<string, string>;
  /** An assertion was not met, or a wait or a property ended with its own error. */
  readonly red: Set<string>;
  /** Ended by an error of the language before an assertion could say anything. */
  readonly fallen: Set<string>;
}

/** Errors that a caller of something broken meets, rather than a test. */
const FALLS = ['TypeError', 'ReferenceError', 'SyntaxError'];
/** A difference of broken values can be endless. */
const PRINTED_BYTES_MAX = 8 * 1024 * 1024;

/** Runs a test program in a separate process and returns the outcome of each named test. */
export async function runNamedTests(program: string, timeoutMs: number): Promise<Named> {
  const named: Named = { green: new Set(), within: new Map(), red: new Set(), fallen: new Set() };
  const parser = new Parser();
  note(parser, named);
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  let printed = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.length;
    if (printed > PRINTED_BYTES_MAX) child.kill('SIGKILL');
    else parser.write(chunk);
  });
  await once(child, 'close');
  parser.end();
  return named;
}

/** Notes the tests below this one, which are within `outer`. `onUnmet` hears of an assertion that was not met. */
function note(parser: Parser, named: Named, outer?: string, onUnmet = () => {}): void {
  let test: string | undefined;
  let isRed = false;
  parser.on('child', (child: Parser) => {
    test = child.name;
    isRed = false;
    named.within.set(child.name, outer ?? child.name);
    note(child, named, outer ?? child.name, () => {
      isRed = true;
    });
  });
  parser.on('assert', ({ ok, name, diag }) => {
    const isTest = name === test;
    test = undefined;
    if (isTest) named[ok ? 'green' : isRed ? 'red' : 'fallen'].add(name);
    const isFall = diag?.tapCaught && FALLS.includes(diag.type);
    if (!ok && (isTest ? isRed : !isFall)) onUnmet();
  });
}
