import t from 'tap';
import type { Job } from '../src/answers.js';
import { createProgress, progressLine } from '../src/cli/progress.js';

const job = (done: number, status = 'running') =>
  ({ status, done, distinct: 10_000, seconds_left: 90 }) as unknown as Job;

t.test('a line says how much is done, how fast, and for how long still', async (t) => {
  t.equal(
    progressLine(job(4_200), 1_200),
    '[############                  ] 42 %  4,200 of 10,000  1,200/s  5 s left',
  );
  t.match(progressLine(job(0), 0), '0/s  90 s left', 'before anything is known, what the service expects');
  t.match(progressLine(job(5_000), 1), '83 min left');
  t.match(progressLine(job(10_000, 'completed'), 10), '100 %  10,000 of 10,000  10/s  completed');
  const parsing = { ...job(0, 'parsing'), rows: 12_000, distinct: 0 };
  t.equal(progressLine(parsing, 0), 'reading the file, 12,000 rows so far');
});

t.test('a screen has one line that moves, a file a line now and then', async (t) => {
  let clockMs = 0;
  const show = (isTTY: boolean) => {
    const written: string[] = [];
    const progress = createProgress({ isTTY, write: (text) => written.push(text) }, () => clockMs);
    for (clockMs = 0; clockMs <= 20_000; clockMs += 1_000) progress.show(job(clockMs / 10));
    progress.end();
    return written;
  };
  const screen = show(true);
  t.equal(screen.length, 22);
  t.ok(screen.slice(0, -1).every((text) => text.startsWith('\r')));
  t.match(screen.at(-2), '100/s');
  t.equal(show(false).length, 3);
});
