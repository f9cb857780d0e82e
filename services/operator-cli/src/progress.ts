import type { OnProgress } from '@verdict/metering/month-end-pages.js';

const EVERY_MS = 5_000;
const count = new Intl.NumberFormat('en');

/** Says every few seconds, on the standard error, how far a closing or an issuing is. */
export function createProgress(): OnProgress {
  let saidMs = performance.now();
  return ({ what, month, done, of }) => {
    const nowMs = performance.now();
    if (nowMs - saidMs < EVERY_MS) return;
    saidMs = nowMs;
    const subject = month === null ? what : `${month} ${what}`;
    process.stderr.write(`${subject}: ${count.format(done)} of at most ${count.format(of)}\n`);
  };
}
