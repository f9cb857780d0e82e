import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk that the processes of a test are given instead of the machine's; see full-disk.c. */
export function createDisk(library: string) {
  const directory = mkdtempSync(join(tmpdir(), 'verdict-disk-'));
  chmodSync(directory, 0o755); // Postgres may run as another user
  const file = join(directory, 'full');
  // Over the same byte, never truncated: processes have the file mapped.
  const write = (byte: number) => writeFileSync(file, Buffer.of(byte), { flag: 'r+' });
  writeFileSync(file, Buffer.of(0));
  return {
    /** The environment that makes a process use this disk. */
    environment: { LD_PRELOAD: library, FULL_DISK_FILE: file },
    fill: () => write(1),
    enlarge: () => write(0),
  };
}
