import { PassThrough, Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { arrivingAtLeastRate } from '../src/forward/arriving.js';

const RATE = { bytesPerSecond: 100_000, windowMs: 50 };
const arriving = (source: Readable) => arrivingAtLeastRate(source, () => RATE, RATE.windowMs);
const endless = () => Readable.from(repeat(Buffer.alloc(16_384, 'x')), { objectMode: false });
function* repeat(chunk: Buffer) {
  for (;;) yield chunk;
}

t.test('a sender that sends too little is let go, and one that waits for us is not', async (t) => {
  const slow = new PassThrough();
  const passage = arriving(slow);
  passage.resume();
  const failure = new Promise<Error>((resolve) => passage.once('error', resolve));
  slow.write('x');
  t.match((await failure).message, /too slow/);
  slow.destroy();

  const source = endless();
  const waiting = arriving(source);
  await delay(RATE.windowMs * 4);
  t.notOk(waiting.destroyed, 'nobody reads, and that is not its fault');
  source.destroy();
  waiting.destroy();
});

t.test('when nobody reads any more the rest of an upload is taken and thrown away', async (t) => {
  const source = new PassThrough();
  const passage = arriving(source);
  source.write('beginning');
  passage.destroy();
  await eventually(async () => passage.closed);
  t.notOk(source.destroyed, 'or its sender would never see the answer');
  const sent = new Promise<void>((resolve) => source.end(Buffer.alloc(1_000_000), () => resolve()));
  await sent;
  await eventually(async () => source.readableEnded);
});
