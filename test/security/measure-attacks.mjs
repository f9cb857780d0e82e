// `npm run attacks`: the long form of beside-attacks.test.ts, whose ratios SECURITY.md shows. Run it on a machine that has nothing else to do.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writeResults } from '../../bench/lib/write-results.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'verdict-attacks-'));
const file = join(folder, 'figures.json');
const child = spawn(process.execPath, ['scripts/test.mjs', 'test/security/beside-attacks'], {
  stdio: 'inherit',
  env: {
    TEST_TIMEOUT_SECONDS: '7200',
    ...process.env,
    ATTACK_ROUNDS: values.rounds ?? '5',
    ATTACK_FIGURES: file,
  },
});
child.on('close', (code) => {
  // Figures of a run in which an act failed would praise it.
  if (code === 0) writeResults('attacks', JSON.parse(readFileSync(file, 'utf8')));
  rmSync(folder, { recursive: true });
  process.exitCode = code ?? 1;
});
