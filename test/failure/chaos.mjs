// `npm run chaos`: the long form of test/failure. Seeded and repeatable: `npm run chaos -- --seed 7`.
import { spawn } from 'node:child_process';

const at = process.argv.indexOf('--seed');
const seed = at === -1 ? '20261115' : String(process.argv[at + 1]);
const child = spawn(process.execPath, ['scripts/test.mjs', 'test/failure'], {
  stdio: 'inherit',
  env: {
    CHAOS_LONG: '1',
    CHAOS_SEED: seed,
    CHAOS_KILLS: '25',
    CHAOS_CLIENTS: '16',
    CHAOS_POSTGRES_AWAY_MS: '60000',
    CHAOS_DRAIN_MS: '120000',
    CHAOS_POWER_LOSSES: '5',
    TAP_TIMEOUT: '1500',
    ...process.env,
  },
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
