import t from 'tap';
import { roomFor } from '../src/ui/table/room-for.ts';

t.test('a table gives up columns step by step before it squeezes the first', async (t) => {
  const columns = [
    {},
    { width: '100px', from: 'tablet' },
    { width: '100px', from: 'desktop' },
    { width: '25%', from: 'wide' },
  ] as const;
  t.strictSame(
    [119, 220, 320, 426, 427].map((width) => roomFor(columns, width)),
    ['little', 'tablet', 'desktop', 'desktop', 'wide'],
  );
});
