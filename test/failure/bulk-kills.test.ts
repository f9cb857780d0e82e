import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@verdict/local-stack/eventually.js';
import { http } from '@verdict/local-stack/http.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import t from 'tap';
import { besideRows } from '../harness/beside-rows.js';
import { CHAOS } from './config.js';

/**
 * A bulk job while worker, gateway, scoring and Redis are killed in turn. The short form is part of npm test; `npm run chaos`
 * has 50,000 rows.
 */
const ROWS = CHAOS.bulkRows;
/** Rows per second of the plan: slow enough that every blow falls while the job runs. */
const RATE = Math.max(200, Math.ceil(ROWS / 15));

const plansFile = join(t.testdir(), 'plans.json');
await writeFile(
  plansFile,
  JSON.stringify({
    free: {
      checks_per_month: 10_000_000,
      checks_per_second: RATE,
      bulk_rows_max: 1_000_000,
      retention_days: 30,
    },
  }),
);
const PATIENT = { withinMs: 600_000, everyMs: 250 };
const stack = await startStack({
  workers: 2,
  env: { all: { PLANS_FILE: plansFile }, gateway: { REQUESTS_PER_MINUTE: 1_000_000 } },
});
t.teardown(() => stack.stop());

interface Job {
  readonly id: string;
  readonly status: string;
  readonly done: number;
  readonly distinct: number;
}

/** Every fifth row repeats an address in other letters, every eleventh has none. */
const rows = Array.from({ length: ROWS }, (_, i) => {
  if (i % 11 === 10) return `${i},not an address`;
  return i % 5 === 4 ? `${i},PERSON-${i - 1}@Gmail.com` : `${i},person-${i}@gmail.com`;
});
const addresses = new Set(
  rows.map((row) => (row.split(',')[1] ?? '').toLowerCase()).filter((email) => email.includes('@')),
);

t.test('whatever is killed, the job completes and every address is counted once', async (t) => {
  const sent = await stack.api<{ job: Job }>('jobs/?start=auto', {
    method: 'POST',
    body: `row,email\n${rows.join('\n')}\n`,
    headers: { 'content-type': 'text/csv' },
  });
  t.equal(sent.status, 202, sent.text);
  const { id } = sent.body.job;
  const parsed = await eventually(async () => {
    const { body } = await stack.api<{ job: Job }>(`jobs/${id}/`);
    return body.job?.status !== 'parsing' && body.job;
  }, PATIENT);
  t.equal(parsed.distinct, addresses.size);

  const [first, second] = stack.workers;
  const [scoring] = stack.scorings;
  const [gateway] = stack.gateways;
  const blows = [first, scoring, second, stack.redis, gateway, first];
  for (const [i, victim] of blows.entries()) {
    // Where it has got to is asked of Postgres: the gateway may be among the dead.
    await eventually(async () => {
      const [job] = await stack.sql<{ done: number; status: string }>(
        'SELECT done, status FROM bulk_jobs WHERE id = $1',
        [id],
      );
      return job !== undefined && (job.done >= (addresses.size * (i + 1)) / 10 || job.status !== 'running');
    }, PATIENT);
    await victim?.kill();
    await victim?.restart();
  }
  const job = await eventually(async () => {
    const { body } = await stack.api<{ job: Job }>(`jobs/${id}/`);
    return body.job?.status === 'completed' ? body.job : false;
  }, PATIENT);
  t.equal(job.done, addresses.size);

  const logged = await eventually(async () => {
    const found = await stack.sql<{ id: string }>('SELECT id FROM check_logs WHERE request_id = $1', [id]);
    return found.length >= addresses.size ? found : false;
  }, PATIENT);
  t.equal(logged.length, addresses.size, 'one row for each distinct address');

  const { text } = await stack.api<string>(`jobs/${id}/results.ndjson`);
  const results = text
    .trim()
    .split('\n')
    .map(
      (line) =>
        JSON.parse(line) as { row: string; email: string; decision: string | null; log_id: string | null },
    );
  t.strictSame(
    results.map(({ row, email }) => `${row},${email}`),
    rows,
    'every row once, in its order',
  );
  const shown = new Map<string, Set<string>>();
  for (const { email, log_id } of results) {
    if (log_id === null) continue;
    const known = shown.get(email.toLowerCase()) ?? new Set();
    shown.set(email.toLowerCase(), known.add(log_id));
  }
  t.same(new Set(shown.keys()), addresses, 'every valid address has a verdict, and nothing else has');
  t.ok(
    [...shown.values()].every((ids) => ids.size === 1),
    'duplicates have the verdict of the first',
  );
  t.same(
    new Set([...shown.values()].flatMap((ids) => [...ids])),
    new Set(logged.map(({ id: log }) => log)),
    'the ids of the results are those of the log, as sets',
  );
  // A duplicate has the id of the first and its own spelling.
  const firsts = new Map(results.toReversed().map((one) => [one.log_id, one]));
  firsts.delete(null);
  t.strictSame(await besideRows(stack.sql, [...firsts.values()]), [], 'every result is its row');
  const usage = await http<{ checks_used: number }>(`${stack.baseUrls[0]}usage/`, {
    headers: { 'x-api-key': stack.apiKey },
  });
  t.equal(usage.body.checks_used, addresses.size, 'and so is the counter');
  const [rollup] = await stack.sql<{ checks: number }>('SELECT sum(checks)::int AS checks FROM usage_hourly');
  t.equal(rollup?.checks, addresses.size, 'and so are the rollups');
});
