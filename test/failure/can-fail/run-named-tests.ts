import { run } from 'node:test';

export interface Named {
  readonly green: ReadonlySet<string>;
  /** An assertion was not met, or a wait or a property ended with its own error. */
  readonly red: ReadonlySet<string>;
  /** Ended by an error of the language before an assertion could say anything. */
  readonly fallen: ReadonlySet<string>;
}

/** Errors that a caller of something broken meets, rather than a test. */
const FALLS = ['TypeError', 'ReferenceError', 'SyntaxError'];

/** Runs a test program in a separate process and returns the outcome of each named test. */
export async function runNamedTests(program: string, timeoutMs: number): Promise<Named> {
  const named = { green: new Set<string>(), red: new Set<string>(), fallen: new Set<string>() };
  /** Depths at which an assertion below a test that has not ended was not met. */
  const unmet = new Set<number>();
  const stream = run({ files: [program], timeout: timeoutMs });
  stream.on('test:pass', ({ name, details, skip }) => {
    if (name !== program && (details.type === 'suite' || skip === true)) named.green.add(name);
  });
  stream.on('test:fail', ({ name, nesting, details }) => {
    if (details.type !== 'suite') {
      const { tapCaught, type } = Object(details.error.cause);
      if (!tapCaught || !FALLS.includes(type)) unmet.add(nesting - 1);
      return;
    }
    const isRed = unmet.delete(nesting);
    if (isRed) unmet.add(nesting - 1);
    if (name !== program) named[isRed ? 'red' : 'fallen'].add(name);
  });
  for await (const _event of stream);
  return named;
}
