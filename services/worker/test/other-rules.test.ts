import { NOTE_VERSION } from '@verdict/contracts/step-note.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { noteKey } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { checkLog, createId, jobOf, verdictOf } from './support/check-log.js';
import { setUp } from './support/set-up.js';

const setting = await setUp();
t.teardown(() => setting.close());
const { db, redis, deadLetters } = setting;

interface Stored {
  readonly id: string;
  readonly decision: string;
  readonly risk_score: number;
  readonly verdict_score: number;
}

const stored = (account: string) =>
  db.$queryRaw<Stored[]>`
    SELECT id, decision, risk_score, verdict_score FROM check_logs WHERE account_id = ${account} ORDER BY id`;

t.test('a worker stores what was answered, by whatever bands and lists that was', async (t) => {
  const account = createId('acc');
  // Its own bands would say review for the first two, its own lists 100 for the third, and its own points 90 for the last.
  const review = verdictOf('review');
  const created_at = '2026-11-15T10:00:00.000001+00:00';
  const logs = [1, 2, 3, 4].map(() => checkLog({ account_id: account, created_at, verdict: review }));
  const job = jobOf(logs);
  const [verdict] = job.verdicts;
  if (!verdict || !job.note) throw new Error('the job has a verdict and a note');
  const listed = {
    at: 0,
    list: 'block' as const,
    kind: 'domain' as const,
    value: 'example.com',
    decision: 'challenge' as const,
    risk_score: 42,
  };
  const repeated = {
    counts: [4, null, null, null],
    points: [11, null, null, null],
    decision: 'challenge' as const,
    risk_score: 71,
  };
  const answered = {
    ...job,
    verdicts: [
      { ...verdict, decision: 'allow' as const },
      { ...verdict, decision: 'block' as const },
      verdict,
      verdict,
    ],
    groups: job.groups.map((group, i) => ({
      ...group,
      checks: group.checks.map((check) => ({ ...check, verdict: i })),
    })),
    note: {
      ...job.note,
      groups: job.note.groups.map((group, i) => ({
        ...group,
        ...(i === 2 && { matches: [listed] }),
        ...(i === 3 && { seen: [repeated] }),
      })),
    },
  };
  const worker = await setting.startWorker();
  await setting.queue(answered);
  const rows = await eventually(async () => {
    const found = await stored(account);
    return found.length === 4 ? found : undefined;
  });
  await worker.stop();
  const rowOf = (log: { readonly id: string } | undefined) => rows.find(({ id }) => id === log?.id);
  t.match(rowOf(logs[0]), { decision: 'allow', risk_score: 60, verdict_score: 60 });
  t.match(rowOf(logs[1]), { decision: 'block', risk_score: 60, verdict_score: 60 });
  t.match(rowOf(logs[2]), { decision: 'challenge', risk_score: 42, verdict_score: 60 }, 'listed');
  t.match(rowOf(logs[3]), { decision: 'challenge', risk_score: 71, verdict_score: 71 }, 'repeated');
  t.match(
    await db.$queryRaw`SELECT factors, reasons FROM check_logs JOIN check_subjects USING (id) WHERE id = ${logs[3]?.id}`,
    [{ factors: [{}, { code: 'ALIAS_BURST', points: 11 }] }],
  );
});

t.test('a note that cannot be read sets its own job aside, and no other of the shard', async (t) => {
  const account = createId('acc');
  const [strange, good] = [checkLog({ account_id: account }), checkLog({ account_id: account })];
  const { note, ...job } = jobOf([strange]);
  const batchId = createId('bat');
  await redis.set(noteKey(0, batchId), JSON.stringify({ ...note, v: NOTE_VERSION + 1, more: true }));
  await setting.queue(job, undefined, batchId);
  await setting.queueChecks([good]);
  const worker = await setting.startWorker();
  await eventually(async () => (await stored(account)).length === 1);
  const [letter] = await eventually(async () => {
    const letters = await deadLetters.list();
    return letters.length > 0 ? letters : undefined;
  });
  await worker.stop();
  t.match(letter, {
    logIds: [strange.id],
    reason: `version ${NOTE_VERSION + 1} of the note is not known to this worker`,
    payload: { groups: job.groups, note: { v: NOTE_VERSION + 1, more: true } },
  });
});
