import { parseArgs } from 'node:util';
import { Failure } from './failure.js';

export interface TestOptions {
  /** Only what needs no whole stack. */
  readonly fast: boolean;
  readonly coverage: boolean;
  readonly lint: boolean;
  /** Whether one or two red files get a second run, alone. */
  readonly again: boolean;
  readonly patterns: readonly string[];
}

const USAGE = `npm test -- [options] [part of a path ...]
  --fast       leave out the tests that start whole stacks (npm run test:fast)
  --coverage   say how much the others cover; a run of everything always does
  --no-lint    only the tests
  --no-again   no second run for what was red`;

export function parseTestOptions(argv: readonly string[]): TestOptions {
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      allowPositionals: true,
      allowNegative: true,
      options: {
        fast: { type: 'boolean' },
        coverage: { type: 'boolean' },
        lint: { type: 'boolean', default: true },
        again: { type: 'boolean', default: true },
      },
    });
    const isEverything = !values.fast && positionals.length === 0;
    return {
      fast: !!values.fast,
      coverage: values.coverage ?? isEverything,
      lint: values.lint,
      again: values.again,
      patterns: positionals,
    };
  } catch (error) {
    throw new Failure(`${(error as Error).message.split('. ')[0]}.\n${USAGE}`);
  }
}
