import { PassThrough, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { arrivingAtMinimumRate, atMinimumRate } from '../src/forward/minimum-rate.js';

const RATE = { bytesPerSecond: 100_000, windowMs: 50 };
const endless = () => Readable.from(repeat(Buffer.alloc(16_384, 'x')), { objectMode: false });
function* repeat(chunk: Buffer) {
  for (;;) yield chunk;
}

t.test('a reader that takes nothing is let go, and its source with it', async (t) => {
  const source = endless();
  const passage = atMinimumRate(source, RATE);
  const failure = new Promise<Error>((resolve) => passage.once('error', resolve));
  t.match((await failure).message, /too slow/);
  await eventually(async () => source.destroyed);
});

t.test('a reader that waits for a slow source is not slow', async (t) => {
  const source = new PassThrough();
  const passage = atMinimumRate(source, RATE);
  let received = '';
  passage.on('data', (chunk) => {
    received += chunk;
  });
  for (let i = 0; i < 4; i++) {
    source.write('x');
    await delay(RATE.windowMs * 2);
  }
  source.end();
  await eventually(async () => passage.readableEnded);
  t.equal(received, 'xxxx');
});

t.test('everything arrives, in order', async (t) => {
  const parts = Array.from({ length: 2_000 }, (_, i) => `line ${i}\n`);
  let received = '';
  // A reader that the machine holds up for longer than a short window would be let go.
  const patient = { ...RATE, windowMs: 120_000 };
  for await (const chunk of atMinimumRate(Readable.from(parts), patient)) received += String(chunk);
  t.equal(received, parts.join(''));
});

t.test('a sender that sends too little is let go, and one that waits for us is not', async (t) => {
  const slow = new PassThrough();
  const passage = arrivingAtMinimumRate(slow, RATE);
  passage.resume();
  const failure = new Promise<Error>((resolve) => passage.once('error', resolve));
  slow.write('x');
  t.match((await failure).message, /too slow/);
  slow.destroy();

  const source = endless();
  const waiting = arrivingAtMinimumRate(source, RATE);
  await delay(RATE.windowMs * 4);
  t.notOk(waiting.destroyed, 'nobody reads, and that is not its fault');
  source.destroy();
  waiting.destroy();
});

t.test('when nobody reads any more the rest of an upload is taken and thrown away', async (t) => {
  const source = new PassThrough();
  const passage = arrivingAtMinimumRate(source, RATE);
  source.write('beginning');
  passage.destroy();
  await eventually(async () => passage.closed);
  t.notOk(source.destroyed, 'or its sender would never see the answer');
  const sent = new Promise<void>((resolve) => source.end(Buffer.alloc(1_000_000), () => resolve()));
  await sent;
  await eventually(async () => source.readableEnded);
});
