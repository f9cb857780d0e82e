import t from 'tap';
import { BatcherFull, createNaturalBatcher, type Entry } from '../src/natural-batcher.js';

type NumberEntry = Entry<number, number>;

/** A sender whose batches stay in flight until the test lets them return. */
function heldSender() {
  const batches: {
    items: number[];
    entries: readonly NumberEntry[];
    finish: () => void;
    fail: (e: Error) => void;
  }[] = [];
  let announce: (() => void) | undefined;
  const send = (entries: readonly NumberEntry[]) =>
    new Promise<void>((resolve, reject) => {
      batches.push({
        items: entries.map((entry) => entry.item),
        entries,
        finish() {
          for (const entry of entries) if (!entry.settled) entry.resolve(entry.item * 10);
          resolve();
        },
        fail: reject,
      });
      announce?.();
    });
  const sent = async (count: number) => {
    while (batches.length < count) {
      await new Promise<void>((resolve) => {
        announce = resolve;
      });
    }
    return batches[count - 1] as (typeof batches)[number];
  };
  return { batches, send, sent };
}

const create = (send: (entries: readonly NumberEntry[]) => Promise<void>, limits = {}) =>
  createNaturalBatcher<number, number>({
    send,
    batchMax: 100,
    inFlightMax: () => 1,
    waitingMax: 100,
    ...limits,
  });

t.test('an idle batcher sends a lone item at once', async (t) => {
  const { send, sent } = heldSender();
  const answer = create(send).submit(1);
  (await sent(1)).finish();
  t.equal(await answer, 10);
});

t.test('items of one turn leave together, in the order in which they came', async (t) => {
  const { send, sent } = heldSender();
  const batcher = create(send);
  const answers = Promise.all([3, 1, 2].map((item) => batcher.submit(item)));
  const batch = await sent(1);
  t.strictSame(batch.items, [3, 1, 2]);
  batch.finish();
  t.strictSame(await answers, [30, 10, 20]);
});

t.test('while a batch is under way items gather and leave when it returns', async (t) => {
  const { send, sent, batches } = heldSender();
  const batcher = create(send);
  const first = batcher.submit(1);
  const batch = await sent(1);
  const rest = Promise.all([2, 3, 4].map((item) => batcher.submit(item)));
  await new Promise(setImmediate);
  t.equal(batches.length, 1, 'nothing leaves meanwhile');
  batch.finish();
  t.equal(await first, 10);
  const next = await sent(2);
  t.strictSame(next.items, [2, 3, 4]);
  next.finish();
  t.strictSame(await rest, [20, 30, 40]);
});

t.test('a batch never exceeds its size, and no item is lost or doubled', async (t) => {
  const seen: number[] = [];
  const batcher = create(
    async (entries) => {
      t.ok(entries.length <= 7);
      for (const entry of entries) {
        seen.push(entry.item);
        entry.resolve(entry.item);
      }
    },
    { batchMax: 7, waitingMax: 1_000 },
  );
  const items = Array.from({ length: 100 }, (_, i) => i);
  t.strictSame(await Promise.all(items.map((item) => batcher.submit(item))), items);
  t.strictSame(seen, items);
});

t.test('items with a weight share what a batch takes, and a larger one leaves alone', async (t) => {
  const batches: number[][] = [];
  const batcher = create(
    async (entries) => {
      batches.push(entries.map(({ item }) => item));
      for (const entry of entries) entry.resolve(entry.item);
    },
    { batchMax: 7, waitingMax: 1_000, weightOf: (item: number) => item },
  );
  const items = [3, 4, 1, 9, 2, 2, 2, 2, 7];
  t.strictSame(await Promise.all(items.map((item) => batcher.submit(item))), items);
  t.strictSame(batches, [[3, 4], [1], [9], [2, 2, 2], [2], [7]]);
});

t.test('a failed batch fails exactly its own callers', async (t) => {
  const { send, sent } = heldSender();
  const batcher = create(send);
  const first = batcher.submit(1);
  const batch = await sent(1);
  const second = batcher.submit(2);
  batch.fail(new Error('lost'));
  await t.rejects(first, { message: 'lost' });
  (await sent(2)).finish();
  t.equal(await second, 20);
});

t.test('an entry that was answered before its batch failed keeps its answer', async (t) => {
  const { send, sent } = heldSender();
  const batcher = create(send);
  const answers = Promise.allSettled([batcher.submit(1), batcher.submit(2)]);
  const batch = await sent(1);
  batch.entries[0]?.resolve(10);
  batch.fail(new Error('lost'));
  const [first, second] = await answers;
  t.match(first, { status: 'fulfilled', value: 10 });
  t.match(second, { status: 'rejected', reason: { message: 'lost' } });
});

t.test('a slow entry does not hold up the next batch once its own batch let go', async (t) => {
  const held: NumberEntry[] = [];
  const batcher = create(async (entries) => {
    const slow = entries.filter((entry) => entry.item === 1);
    held.push(...slow);
    for (const entry of entries) if (entry.item !== 1) entry.resolve(entry.item);
  });
  const slow = batcher.submit(1);
  t.equal(await batcher.submit(2), 2);
  t.equal(await batcher.submit(3), 3);
  held[0]?.resolve(99);
  t.equal(await slow, 99);
});

t.test('beyond its bound the batcher refuses at once instead of queueing', async (t) => {
  const { send, sent } = heldSender();
  const batcher = create(send, { waitingMax: 2 });
  const first = batcher.submit(1);
  const batch = await sent(1);
  const waiting = [batcher.submit(2), batcher.submit(3)];
  await t.rejects(batcher.submit(4), BatcherFull);
  batch.finish();
  (await sent(2)).finish();
  t.strictSame(await Promise.all([first, ...waiting]), [10, 20, 30]);
});

t.test('draining waits for everything that was submitted', async (t) => {
  const { send, sent } = heldSender();
  const batcher = create(send);
  const done: string[] = [];
  const first = batcher.submit(1).then(() => done.push('first'));
  const batch = await sent(1);
  const second = batcher.submit(2).then(() => done.push('second'));
  const drained = batcher.drained().then(() => done.push('drained'));
  batch.finish();
  (await sent(2)).finish();
  await Promise.all([first, second, drained]);
  t.strictSame(done, ['first', 'second', 'drained']);
  await batcher.drained();
});
