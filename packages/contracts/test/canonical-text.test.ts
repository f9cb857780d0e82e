import t from 'tap';
import { canonicalText } from '../src/canonical-text.js';

t.test('equal values have one text', async (t) => {
  t.equal(canonicalText({ b: [{ d: 1, c: 'ü' }], a: {} }), '{"a":{},"b":[{"c":"ü","d":1}]}');
  t.equal(canonicalText({ b: 1, a: 2 }), canonicalText({ a: 2, b: 1 }));
});
