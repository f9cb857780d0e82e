import type { BulkJobRow } from '@verdict/db/bulk/bulk-job-row.js';
import t from 'tap';
import { showJob } from '../src/jobs/show-job.js';

const ALLOWANCE = { quotaLeft: 1_000_000, checksPerSecond: 200 };

const job = (fields: Partial<BulkJobRow>) =>
  showJob(
    {
      id: 'job_1',
      key_id: 'key_1',
      name: null,
      status: 'running',
      paused_because: null,
      failed_because: null,
      failed_code: null,
      format: 'csv',
      layout: '{}',
      rows: 10_000,
      malformed: 0,
      addresses: 10_000,
      done: 0,
      allowed: 0,
      challenged: 0,
      reviewed: 0,
      blocked: 0,
      unknown: 0,
      created_at: '',
      started_at: null,
      finished_at: null,
      expires_at: '',
      address_ms: null,
      again_round: 0,
      again_left: null,
      running_beside: 0,
      ...fields,
    },
    ALLOWANCE,
  );

t.test(
  'before its first chunk a job is expected at half of the rate, shared with those beside it',
  async (t) => {
    t.match(job({}), {
      phase: 'checking',
      asking_again: null,
      seconds_left: 100,
      quote: { expected_seconds: 100 },
    });
    t.match(job({ running_beside: 1 }), { seconds_left: 200 });
  },
);

t.test('then at its own pace, and what DNS left unknown takes its time once more', async (t) => {
  t.match(job({ done: 4_000, address_ms: 50 }), { seconds_left: 300 });
  t.match(job({ done: 4_000, address_ms: 50, unknown: 2_000 }), { seconds_left: 400 });
});

t.test('the last phase says which round it is in and how far', async (t) => {
  const last = { done: 10_000, unknown: 6_600, again_round: 1, again_left: 3_000, address_ms: 20 };
  t.match(job(last), { phase: 'asking_again', asking_again: { round: 2, left: 3_000 }, seconds_left: 60 });
  const over = job({ status: 'completed', done: 10_000, unknown: 6_600, address_ms: 20 });
  t.match(over, { phase: null, asking_again: null, seconds_left: null, quote: null });
});

t.test('a file that is being parsed has a phase and no quote yet', async (t) => {
  const parsing = job({ status: 'parsing', rows: 2_000, addresses: 0 });
  t.match(parsing, { phase: 'parsing', quote: null, seconds_left: null, rows: 2_000, duplicates: 0 });
  t.match(job({ status: 'failed', failed_because: 'x', failed_code: 'unreadable_file' }), {
    phase: null,
    failed_code: 'unreadable_file',
  });
});
