import { randomBytes, randomFillSync } from 'node:crypto';
import t from 'tap';
import { createSealer } from '../src/sealed-text.js';

const key = () => randomBytes(32).toString('base64');
const sealerOf = (keys: string) => createSealer(keys, randomFillSync);

t.test('what was sealed opens for its key and its purpose alone', async (t) => {
  const mine = key();
  const sealed = sealerOf(mine).seal('s3cret', 'user 1');
  t.equal(sealerOf(mine).open(sealed, 'user 1'), 's3cret');
  t.equal(sealerOf(mine).open(sealed, 'user 2'), null, 'moved to somebody else');
  t.equal(sealerOf(key()).open(sealed, 'user 1'), null, 'another key');
  t.not(sealerOf(mine).seal('s3cret', 'user 1'), sealed, 'and never looks the same twice');
  t.notMatch(sealed, /s3cret/);
});

t.test('every changed byte, a cut and nonsense are noticed', async (t) => {
  const sealer = sealerOf(key());
  const sealed = sealer.seal('s3cret', 'x');
  const [name = '', text = ''] = sealed.split('.');
  const bytes = Buffer.from(text, 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const forged = Buffer.from(bytes);
    forged[i] = (forged[i] ?? 0) ^ 1;
    t.equal(sealer.open(`${name}.${forged.toString('base64url')}`, 'x'), null, `byte ${i}`);
  }
  for (const nonsense of ['', '.', name, `${name}.`, `${name}.AAAA`, 'x'.repeat(99), sealed.slice(0, -3)])
    t.equal(sealer.open(nonsense, 'x'), null, nonsense);
});

t.test('while keys are rotated the first seals and each opens', async (t) => {
  const [older, newer] = [key(), key()];
  const before = sealerOf(older).seal('old', 'x');
  const rotating = sealerOf(`${newer}, ${older}`);
  t.equal(rotating.open(before, 'x'), 'old');
  const after = rotating.seal('new', 'x');
  t.equal(sealerOf(newer).open(after, 'x'), 'new');
  t.equal(sealerOf(older).open(after, 'x'), null);
});

t.test('a key that is none is refused at the start', async (t) => {
  for (const bad of ['', 'short', randomBytes(16).toString('base64'), `${key()},`])
    t.throws(() => sealerOf(bad), bad);
});
