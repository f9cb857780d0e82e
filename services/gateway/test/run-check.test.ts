import type { AwaitedSubmission } from '@verdict/admission/submission.js';
import type { Expansion } from '@verdict/contracts/check-api.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import type { ScoreEntry } from '@verdict/scoring-client/scored.js';
import t from 'tap';
import { startStages } from '../src/answers/stages.js';
import { readCheckInput } from '../src/check/check-input.js';
import { runCheck } from '../src/check/run-check.js';
import type { ChecksRun } from '../src/check/run-checks.js';

const DATASETS = {
  disposable_domains: { count: 1, version: '2026-11-01' },
  free_providers: { version: '2026-11-01' },
  role_prefixes: { version: '2026-11-01' },
};
const SCORED = { verdict: sampleVerdict(), datasets: DATASETS };
const ACCOUNT = {
  plan: 'free',
  limit: 10,
  rate: 10,
  rateLeft: 9,
  rateWaitMicros: 0,
  used: 1,
  isTest: false,
  nowMicros: 1,
};

/** A usual check whose batches the test plays, and the calls that ended it. */
function start(take: (check: AwaitedSubmission) => void) {
  const told: { error: unknown; run: ChecksRun | undefined }[] = [];
  const entries: ScoreEntry[] = [];
  const never = () => {
    throw new Error('a usual check does not take this path');
  };
  const deps = {
    direct: { score: (entry: ScoreEntry) => void entries.push(entry), take },
    admission: { isTrusted: () => true, policiesOf: () => '', look: never, take: never },
    scoring: { score: never, scoreAll: never },
    policies: { held: () => ({ text: '', live: null, readsNetwork: false }), load: never },
    ipNetworks: never,
    looks: { spend: never, noteSeen: never },
    createLogId: () => 'log_1',
  };
  const request = {
    caller: { accountId: 'acc_1', keyId: 'key_1', credential: 'c' },
    from: () => '',
    inputs: [readCheckInput({ email: 'jane@gmail.com' })],
    requestId: 'req_1',
    expand: new Set<Expansion>(),
    once: null,
    stages: startStages(1),
  };
  runCheck(deps, request, (error, run) => void told.push({ error, run }));
  return { told, entry: entries[0] as ScoreEntry };
}

t.test('a usual check is answered by the step, once, and only then', async (t) => {
  let taken: AwaitedSubmission | undefined;
  const { told, entry } = start((check) => {
    taken = check;
  });
  entry.resolve(SCORED);
  entry.resolve(SCORED);
  entry.reject(new Error('late'));
  t.strictSame(told, [], 'scored, and not answered');
  const outcome = { account: ACCOUNT, used: 1, nowMicros: 1, matches: [], seen: [], policies: '' };
  taken?.taken({ state: 'granted', ...outcome });
  t.equal(told.length, 1);
  t.match(told[0]?.run, { checks: [{ id: 'log_1' }], account: { used: 1 }, replayed: false });
});

t.test('a check that fails ends with its error and does not throw into the batch of others', async (t) => {
  const unscored = start(() => undefined);
  unscored.entry.reject(new Error('no replica'));
  unscored.entry.resolve(SCORED);
  t.match(unscored.told, [{ error: { status: 503 } }]);

  const thrown = start(() => {
    throw new Error('a mistake of ours');
  });
  thrown.entry.resolve(SCORED);
  t.match(thrown.told, [{ error: { status: 503 } }]);

  const refused = start((check) => check.taken({ state: 'quota', account: ACCOUNT, used: 10 }));
  refused.entry.resolve(SCORED);
  t.match(refused.told, [{ error: { status: 429, code: 'quota_exceeded' } }]);

  const lost = start((check) => check.notTaken(new Error('the reply is lost')));
  lost.entry.resolve(SCORED);
  t.match(lost.told, [{ error: { status: 503 } }]);
});
