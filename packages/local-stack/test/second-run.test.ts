import t from 'tap';
import { mayRunAgain } from '../src/second-run.js';

const file = (name: string, failed = 1) => ({ file: name, passed: 3, failed, skipped: 0 });
const browser = file('test/dist/browser/people.test.js');
const gateway = file('services/gateway/dist/test/check.test.js');

t.test('a red file is run once more, a green one is not', async (t) => {
  t.strictSame(mayRunAgain([browser, file('test/dist/start/start.test.js', 0)]), [browser.file]);
});

t.test('what guards that nothing is lost or counted twice has no second run', async (t) => {
  t.strictSame(mayRunAgain([file('test/dist/failure/chaos.test.js'), gateway]), [gateway.file]);
  t.strictSame(mayRunAgain([file('packages/admission/dist/test/step.test.js')]), []);
});

t.test('more than two red files are no accident', async (t) => {
  t.strictSame(mayRunAgain([browser, gateway, file('test/dist/sdk/sdk.test.js')]), []);
});
