import { setTimeout as delay } from 'node:timers/promises';
import t from 'tap';
import { inTurn } from '../src/in-turn.js';
import { createSemaphore, type Share } from '../src/semaphore.js';

const settled = () => new Promise(setImmediate);

t.test('an owner may hold as much as stays free, and something is left for the next', async (t) => {
  const semaphore = createSemaphore({ capacity: 8 });
  const takeAll = (owner: string) => {
    const shares: Share[] = [];
    for (;;) {
      const share = semaphore.take([owner]);
      if (typeof share === 'string') return { shares, why: share };
      shares.push(share);
    }
  };
  const a = takeAll('a');
  t.equal(a.shares.length, 4);
  t.equal(a.why, 'many');
  t.equal(takeAll('b').shares.length, 2);
  t.equal(semaphore.take(['c', 'a']), 'many', 'one owner who holds too much is enough');
  t.equal(takeAll('c').shares.length, 1);
  t.equal(takeAll('d').shares.length, 1);
  t.equal(semaphore.take(['e']), 'full');
  for (const share of a.shares) {
    share.release();
    share.release();
  }
  t.equal(semaphore.free, 4, 'released once, however often it is said');
});

t.test('a share weighs what it holds, and changes with it', async (t) => {
  const semaphore = createSemaphore({ capacity: 100 });
  const share = semaphore.take(['a'], 10) as Share;
  t.equal(share.resize(50), undefined);
  t.equal(share.resize(51), 'many', 'half is the most for one owner');
  t.equal(semaphore.free, 50);
  t.equal(semaphore.take(['b'], 51), 'full');
  t.equal(share.resize(1), undefined);
  t.equal(semaphore.free, 99);
  share.release();
  share.resize(5);
  t.equal(semaphore.free, 100, 'what was released stays released');
});

t.test('whoever leaves gives the place to the next in the queue', async (t) => {
  const semaphore = createSemaphore({ capacity: 2, queueMax: 8 });
  const begun = new Map<string, Share>();
  const enter = (owner: string, name: string) =>
    semaphore.enter([owner], (share) => void begun.set(name, share));
  enter('a', 'a1');
  enter('a', 'a2');
  enter('b', 'b1');
  const given = enter('c', 'c1');
  enter('c', 'c2');
  t.strictSame([...begun.keys()], ['a1', 'b1']);
  t.equal(typeof given !== 'string' && given.leave(), true);
  t.equal(typeof given !== 'string' && given.leave(), false, 'only once');
  begun.get('b1')?.release();
  t.strictSame(
    [...begun.keys()],
    ['a1', 'b1', 'c2'],
    'the second of a waits until a holds fewer than are free',
  );
  begun.get('a1')?.release();
  t.strictSame([...begun.keys()], ['a1', 'b1', 'c2', 'a2']);
  t.equal(semaphore.waiting, 0);
});

t.test('the queue is shared as fairly', async (t) => {
  const semaphore = createSemaphore({ capacity: 1, queueMax: 4 });
  const enter = (owner: string) => semaphore.enter([owner], () => undefined);
  for (const owner of ['a', 'a', 'a']) t.not(typeof enter(owner), 'string');
  t.equal(enter('a'), 'full');
  t.not(typeof enter('b'), 'string');
  t.equal(semaphore.waiting, 3);
});

t.test('the queue serves owners in turn, however much one of them waits for', async (t) => {
  const semaphore = createSemaphore({ capacity: 2, queueMax: 64 });
  const order: string[] = [];
  const shares: Share[] = [];
  const enter = (owner: string, name: string) =>
    semaphore.enter([owner], (share) => {
      order.push(name);
      shares.push(share);
    });
  for (let i = 1; i <= 9; i++) {
    enter('a', `a${i}`);
    enter('b', `b${i}`);
  }
  enter('c', 'c1');
  enter('c', 'c2');
  enter('d', 'd1');
  for (let i = 0; i < 5; i++) shares[i]?.release();
  t.strictSame(order, ['a1', 'b1', 'a2', 'b2', 'c1', 'd1', 'a3'], 'who came last waits for one of each');
  for (let i = 5; i < 21; i++) shares[i]?.release();
  t.equal(order.length, 21);
  t.equal(semaphore.waiting, 0);
});

t.test('so many run at once, so many wait, and the next is refused', async (t) => {
  const semaphore = createSemaphore({ capacity: 1, queueMax: 1 });
  const run = <T>(work: () => Promise<T>) =>
    inTurn(semaphore, work, { owners: [], signal: undefined, refusal: () => new Error('full') });
  const order: string[] = [];
  let open = () => {};
  const first = run(() =>
    new Promise<void>((resolve) => (open = resolve)).then(() => void order.push('first')),
  );
  const second = run(async () => void order.push('second'));
  await t.rejects(
    run(async () => undefined),
    { message: 'full' },
  );
  open();
  await Promise.all([first, second]);
  t.strictSame(order, ['first', 'second']);
  await t.rejects(
    run(async () => {
      throw new Error('away');
    }),
    { message: 'away' },
  );
  await settled();
  t.equal(semaphore.free, 1, 'work that failed gives its share back');
});

t.test('a caller that has gone leaves the queue', async (t) => {
  const semaphore = createSemaphore({ capacity: 1, queueMax: 1 });
  const refusal = () => new Error('full');
  let open = () => {};
  const first = inTurn(semaphore, () => new Promise<void>((resolve) => (open = resolve)), {
    owners: [],
    signal: undefined,
    refusal,
  });
  const closed = new AbortController();
  const { signal } = closed;
  const work = async () => t.fail('its caller has gone');
  const left = t.rejects(inTurn(semaphore, work, { owners: [], refusal, signal }), { name: 'AbortError' });
  t.equal(semaphore.waiting, 1);
  closed.abort();
  await left;
  t.equal(semaphore.waiting, 0);
  await t.rejects(inTurn(semaphore, work, { owners: [], refusal, signal }), { name: 'AbortError' });
  open();
  await first;
});

t.test('work that is under way waits where new work is refused, and the refusal says why', async (t) => {
  const semaphore = createSemaphore({ capacity: 2, queueMax: 1 });
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const run = (isUnderWay: boolean) =>
    inTurn(semaphore, () => opened, {
      owners: ['a'],
      signal: undefined,
      isUnderWay,
      refusal: (why) => new Error(why),
    });
  const begun = [run(false), run(false)];
  await t.rejects(run(false), { message: 'many' });
  begun.push(run(true));
  t.equal(semaphore.waiting, 2);
  open();
  await Promise.all(begun);
  t.equal(semaphore.free, 2);
});

t.test('an owner rests as long as the work asks, and nobody else waits for that', async (t) => {
  const semaphore = createSemaphore({ capacity: 2, queueMax: 4, ownerMax: 1 });
  const refusal = () => new Error('full');
  const order: string[] = [];
  const run = (owner: string, work: () => Promise<unknown>) =>
    inTurn(semaphore, work, { owners: [owner], signal: undefined, refusal, rest: 2 });
  let endedAt = 0;
  await run('a', async () => {
    await delay(50);
    endedAt = performance.now();
  });
  const again = run('a', async () => order.push('a'));
  t.equal(semaphore.free, 2, 'everything is free for others');
  await run('b', async () => order.push('b'));
  t.strictSame(order, ['b'], 'b came later and works while a rests');
  await again;
  const restedMs = performance.now() - endedAt;
  t.ok(restedMs > 95, `a rested for ${restedMs} ms`);
});

t.test('an owner holds no more than it may, however much is free', async (t) => {
  const semaphore = createSemaphore({ capacity: 8, queueMax: 4, ownerMax: 1 });
  t.not(typeof semaphore.take(['a']), 'string');
  t.equal(semaphore.take(['a']), 'many');
  t.equal(semaphore.take(['b', 'a']), 'many');
  t.not(typeof semaphore.take(['b']), 'string');
});
