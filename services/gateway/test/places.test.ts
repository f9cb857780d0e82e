import t from 'tap';
import { createPlaces, type Leave } from '../src/forward/places.js';

t.test('nobody gets more than their share, and all together not more than there is', async (t) => {
  const places = createPlaces({ total: 5, perHolder: 2 });
  const leave = places.take('a') as Leave;
  t.type(places.take('a', 'x'), 'function');
  t.equal(places.take('a'), 'many');
  t.equal(places.take('b', 'a'), 'many', 'one holder too many is enough');
  t.type(places.take('b'), 'function');
  t.type(places.take('b'), 'function');
  t.type(places.take('c'), 'function');
  t.equal(places.take('d'), 'full');
  leave();
  leave();
  t.type(places.take('a'), 'function', 'given back once, taken once');
  t.equal(places.take('d'), 'full');
});
