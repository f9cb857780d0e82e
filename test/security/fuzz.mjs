// `npm run fuzz`: the long form of fuzz.test.ts, seeded and repeatable.
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: { seed: { type: 'string' }, requests: { type: 'string' }, clients: { type: 'string' } },
});
const child = spawn(process.execPath, ['scripts/test.mjs', 'test/security/fuzz'], {
  stdio: 'inherit',
  env: {
    TEST_TIMEOUT_SECONDS: '7200',
    ...process.env,
    FUZZ_SEED: values.seed ?? '20261115',
    FUZZ_REQUESTS: values.requests ?? '200000',
    FUZZ_CLIENTS: values.clients ?? '32',
  },
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
