// `npm run chaos`: the long form of test/failure, seeded and repeatable. Options as in README.md.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const OPTIONS = {
  // Another one for each run, printed with its figures.
  seed: { variable: 'CHAOS_SEED', default: String(Date.now() % 1_000_000_000) },
  seeds: { variable: 'CHAOS_SEEDS', default: '1' },
  kills: { variable: 'CHAOS_KILLS', default: '25' },
  disturbances: { variable: 'CHAOS_DISTURBANCES', default: '25' },
  clients: { variable: 'CHAOS_CLIENTS', default: '16' },
  'postgres-away-ms': { variable: 'CHAOS_POSTGRES_AWAY_MS', default: '60000' },
  'outage-minutes': { variable: 'CHAOS_OUTAGE_MINUTES', default: '60' },
  'outage-rate': { variable: 'CHAOS_OUTAGE_RATE', default: '120' },
  'drain-ms': { variable: 'CHAOS_DRAIN_MS', default: '120000' },
  'bulk-rows': { variable: 'CHAOS_BULK_ROWS', default: '50000' },
  'walk-minutes': { variable: 'CHAOS_WALK_MINUTES', default: '20' },
  'power-losses': { variable: 'CHAOS_POWER_LOSSES', default: '5' },
};

/** A killed service takes seconds to be back. */
const SECONDS_PER_BLOW = 15;

const { settings, files } = chosen();
const blows = Number(settings.CHAOS_SEEDS) * Math.max(settings.CHAOS_KILLS, settings.CHAOS_DISTURBANCES);
const minutes = Math.max(settings.CHAOS_OUTAGE_MINUTES, settings.CHAOS_WALK_MINUTES);
const timeout = String(2_100 + 2 * blows * SECONDS_PER_BLOW + minutes * 60);
const child = spawn(process.execPath, ['scripts/test.mjs', ...files], {
  stdio: 'inherit',
  env: { TEST_TIMEOUT_SECONDS: timeout, ...process.env, CHAOS_LONG: '1', ...settings },
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});

function chosen() {
  const options = Object.fromEntries(Object.keys(OPTIONS).map((name) => [name, { type: 'string' }]));
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const entries = Object.entries(OPTIONS).map(([name, option]) => [
      option.variable,
      wholeNumber(name, values[name] ?? option.default),
    ]);
    const named = positionals.map((name) => `test/failure/${name}`);
    return {
      settings: Object.fromEntries(entries),
      files: named.length > 0 ? named : ['test/failure'],
    };
  } catch (error) {
    const names = Object.keys(OPTIONS).map((name) => `--${name} N`);
    process.stderr.write(`${error.message}
Usage: npm run chaos -- [postgres-outage …] ${names.join(' ')}
`);
    process.exit(1);
  }
}

function wholeNumber(name, text) {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number, not "${text}"`);
  return text;
}
