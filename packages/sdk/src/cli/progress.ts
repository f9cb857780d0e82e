import type { Job } from '../answers.js';

interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface Progress {
  show(job: Job): void;
  end(): void;
}

const WIDTH = 30;
/** Without a terminal, a line every few seconds is enough. */
const LINE_EVERY_MS = 10_000;

/** One line that moves on a screen, and a line now and then in a file. */
export function createProgress(screen: Screen, now: () => number = () => performance.now()): Progress {
  let first: { done: number; atMs: number } | undefined;
  let lastLineMs = Number.NEGATIVE_INFINITY;
  return {
    show(job: Job): void {
      first ??= { done: job.done, atMs: now() };
      const seconds = (now() - first.atMs) / 1_000;
      const rate = seconds > 0 ? (job.done - first.done) / seconds : 0;
      const line = progressLine(job, rate);
      if (screen.isTTY) screen.write(`\r\u001b[K${line}`);
      else if (now() - lastLineMs >= LINE_EVERY_MS) {
        lastLineMs = now();
        screen.write(`${line}\n`);
      }
    },
    end(): void {
      if (screen.isTTY) screen.write('\n');
    },
  };
}

/** `[######          ] 42 %  12,345 of 29,000  1,200/s  14 s left` */
export function progressLine(
  { status, rows, done, distinct, seconds_left, asking_again }: Job,
  rate: number,
): string {
  if (status === 'parsing') return `reading the file, ${rows.toLocaleString('en')} rows so far`;
  const share = distinct === 0 ? 1 : done / distinct;
  const bar = '#'.repeat(Math.floor(share * WIDTH)).padEnd(WIDTH);
  const left = rate > 0 ? Math.ceil((distinct - done) / rate) : seconds_left;
  return [
    `[${bar}] ${Math.floor(share * 100)} %`,
    `${done.toLocaleString('en')} of ${distinct.toLocaleString('en')}`,
    `${Math.round(rate).toLocaleString('en')}/s`,
    asking_again
      ? `asking DNS again, ${asking_again.left.toLocaleString('en')} to go`
      : status === 'running' && left !== null
        ? `${inWords(left)} left`
        : status,
  ].join('  ');
}

function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
