import type { LoadHook, ResolveHook } from 'node:module';

// Loaded by `run-together`, beside the program: what a test file gets when it asks for tap.

const PREFIX = 'own-test:';

/** Where the test that the next file belongs to is found, in the program itself. */
export const OWN_TEST = Symbol.for('verdict.own-test');

/** To a test file the root of tap is the test that stands for the file alone: its teardown runs when the file ends. */
export const resolve: ResolveHook = (specifier, context, next) =>
  specifier === 'tap' && context.parentURL?.endsWith('.test.js')
    ? { url: `${PREFIX}${context.parentURL}`, shortCircuit: true }
    : next(specifier, context);

export const load: LoadHook = (url, context, next) =>
  url.startsWith(PREFIX)
    ? {
        format: 'module',
        source: `export default globalThis[Symbol.for('${OWN_TEST.description}')];`,
        shortCircuit: true,
      }
    : next(url, context);
