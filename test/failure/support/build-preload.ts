import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';

/**
 * A library that a process loads before all others (LD_PRELOAD), or null on a machine without a C compiler. `power-loss`
 * turns kill -9 into a power cut, `set-clock` lets a test set the clock, and `full-disk` lets it fill the disk.
 */
export function buildPreload(name: 'power-loss' | 'set-clock' | 'full-disk'): string | null {
  const source = inRoot(`test/failure/support/${name}.c`);
  const directory = mkdtempSync(join(tmpdir(), `verdict-${name}-`));
  chmodSync(directory, 0o755); // Postgres may run as another user
  const library = join(directory, `${name}.so`);
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-lpthread']);
  return built.status === 0 ? library : null;
}
