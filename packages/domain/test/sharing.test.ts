import t from 'tap';
import { oncePerObject } from '../src/once-per-object.js';
import { createPositions } from '../src/positions.js';

t.test('what is shared has one position, in the order of first use', async (t) => {
  const positions = createPositions<string>();
  t.strictSame(
    ['b', 'a', 'b', 'c', 'a'].map((key) => positions.of(key)),
    [0, 1, 0, 2, 1],
  );
  t.strictSame(positions.keys(), ['b', 'a', 'c']);
});

t.test('what is made of an object is made once', async (t) => {
  let made = 0;
  const textOf = oncePerObject((value: { text: string }) => {
    made += 1;
    return value.text;
  });
  const one = { text: 'one' };
  t.strictSame([textOf(one), textOf(one), textOf({ text: 'one' }), made], ['one', 'one', 'one', 2]);
});
