import { checkNote } from '@verdict/admission/read-note.js';
import t from 'tap';
import { ownNote, readJob } from '../src/check-logs/read-job.js';

/**
 * A job as gateways of the release before wrote it, kept as it was. Workers are replaced first: what they cannot read of
 * a queue that waits at that moment becomes dead letters. With a new CHECK_LOG_VERSION there is a new one of these.
 */
const WAITING = {
  v: 3,
  verdicts: [
    {
      risk_score: 25,
      signals: { disposable_email: false, mx_valid: true, free_provider: true },
      extra: {
        role_account: true,
        no_reply: false,
        relay: false,
        mx_unknown: false,
        plus_tag: true,
        suggestion: null,
      },
      factors: [
        { code: 'FREE_PROVIDER', points: 5, reason: 'The address uses a free consumer email provider' },
        { code: 'ROLE_ACCOUNT', points: 15, reason: 'The mailbox is a role such as info or support' },
        { code: 'PLUS_TAG', points: 5, reason: 'The mailbox name carries a +tag' },
      ],
      datasets: '2026-11-01/2026-11-01/2026-11-01',
    },
  ],
  groups: [
    {
      account_id: 'acc_01KA3R8Q5T9V2X4Z6B8D0F2H4J',
      key_id: 'key_01KA3R8Q5T9V2X4Z6B8D0F2H4J',
      request_id: 'req_01KA3R8Q5T9V2X4Z6B8D0F2H4J',
      checks: [
        {
          id: 'log_01KA3R8Q5T9V2X4Z6B8D0F2H4J',
          email: 'Info+x@gmail.com',
          canonical: 'info+x@gmail.com',
          ip: null,
          verdict: 0,
        },
        {
          id: 'log_01KA3R8Q5T9V2X4Z6B8D0F2H4K',
          email: 'info@gmail.com',
          canonical: 'info@gmail.com',
          ip: null,
          verdict: 0,
        },
      ],
    },
  ],
  note: {
    now: 1_794_736_800_000_000,
    callers: [],
    groups: [
      {
        caller: 0,
        outcome: 'granted',
        matches: [{ at: 1, list: 'block', kind: 'domain', value: 'gmail.com' }],
      },
    ],
  },
};

t.test('a job that waits while workers are replaced is read by the next release', async (t) => {
  const job = { batchId: 'bat_1', shard: 0, data: WAITING, queuedAtMs: 0, traces: undefined };
  const { checks, setAside } = readJob(job, checkNote(ownNote(WAITING)), {
    storage: 'full',
    hashSecret: '0123456789abcdef',
  });
  t.equal(setAside, null, 'nothing is set aside');
  t.match(checks[0]?.row, {
    id: 'log_01KA3R8Q5T9V2X4Z6B8D0F2H4J',
    verdict: { decision: 'allow', risk_score: 25, verdict_score: 25 },
  });
  t.match(checks[1]?.row, {
    id: 'log_01KA3R8Q5T9V2X4Z6B8D0F2H4K',
    verdict: { decision: 'block', risk_score: 100, verdict_score: 25 },
  });
});
