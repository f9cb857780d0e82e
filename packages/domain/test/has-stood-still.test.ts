import t from 'tap';
import { hasStoodStill } from '../src/has-stood-still.js';

t.test('a busy event loop has not stood still, a frozen process has', async (t) => {
  t.equal(hasStoodStill(1_000, 1_000), false);
  t.equal(hasStoodStill(1_000, 1_500), false);
  t.equal(hasStoodStill(1_000, 1_501), true);
});
