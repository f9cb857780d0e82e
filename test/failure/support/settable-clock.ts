import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface SettableClock {
  /** The environment that makes a process use this clock. */
  readonly environment: { readonly LD_PRELOAD: string; readonly CLOCK_OFFSET_FILE: string };
  /** The clock runs from here on. */
  setTo(ms: number): void;
  move(byMs: number): void;
  now(): number;
}

/** A clock that the processes of a test are given instead of the machine's; see set-clock.c. */
export function createClock(library: string): SettableClock {
  const directory = mkdtempSync(join(tmpdir(), 'verdict-clock-'));
  chmodSync(directory, 0o755); // Postgres may run as another user
  const file = join(directory, 'offset');
  let offsetMs = 0;
  const write = () => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(offsetMs) * 1000n);
    // Over the same bytes, never truncated: processes have the file mapped.
    writeFileSync(file, bytes, { flag: 'r+' });
  };
  writeFileSync(file, Buffer.alloc(8));
  return {
    environment: { LD_PRELOAD: library, CLOCK_OFFSET_FILE: file },
    setTo(ms) {
      offsetMs = Math.round(ms - Date.now());
      write();
    },
    move(byMs) {
      offsetMs += byMs;
      write();
    },
    now: () => Date.now() + offsetMs,
  };
}
