import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The library that turns kill -9 into a power cut, or null on a machine without a C compiler. */
export function buildPowerLoss(): string | null {
  const source = fileURLToPath(new URL('../../../failure/support/power-loss.c', import.meta.url));
  const library = join(mkdtempSync(join(tmpdir(), 'verdict-power-')), 'power-loss.so');
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl', '-lpthread']);
  return built.status === 0 ? library : null;
}
