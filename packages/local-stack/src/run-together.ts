import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { NotHere } from './not-here.js';
import { OWN_TEST } from './own-test.js';
import { testEnvironment } from './test-environment.js';

// `TEST_FILES=FILE,... node run-together.js`: compiled test files one after the other in one process, each a test of its
// own. To load tap and the two thousand files of a service takes two to three seconds of processor, more than most tests.

register('./own-test.js', import.meta.url);
const timeout = Number(process.env.TAP_TIMEOUT) * 1000;
t.setTimeout(0); // each file has its own
// Not as arguments, of which tap makes the name of a test's directory.
for (const file of testEnvironment('TEST_FILES').split(',')) {
  void t.test(file, { timeout }, async (own) => {
    Object.assign(globalThis, { [OWN_TEST]: own });
    try {
      await import(pathToFileURL(file).href);
    } catch (error) {
      if (!(error instanceof NotHere)) throw error;
      own.pass('its tests are not run', { skip: error.message });
    }
  });
}
