import t from 'tap';
import { searchOf } from '../src/api/search-of.ts';
import { changed, ownPath, picked, text } from '../src/shell/search-params.ts';

t.test('the address of a page gives text and known values, and nothing else', async (t) => {
  t.strictSame(text({ q: 'jane', n: 203, other: true }, 'q', 'n'), { q: 'jane', n: '203' });
  t.strictSame(text({ q: '' }, 'q'), { q: undefined }, 'what is refused is said to be undefined');
  t.strictSame(picked({ list: 'block' }, 'list', ['allow', 'block']), { list: 'block' });
  t.strictSame(picked({ list: 'x' }, 'list', ['allow', 'block']), { list: undefined });
});

t.test('nobody is sent to another host after the login', async (t) => {
  t.strictSame(ownPath({ next: '/logs?q=a' }, 'next'), { next: '/logs?q=a' });
  for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', 7]) {
    t.strictSame(ownPath({ next }, 'next'), { next: undefined }, String(next));
  }
});

t.test('empty filters leave the address', async (t) => {
  t.strictSame(changed({ q: 'a', key: 'k' }, { q: '' }), { key: 'k' });
  t.equal(searchOf({ limit: 100, q: '', cursor: undefined }), '?limit=100');
  t.equal(searchOf({}), '');
});
