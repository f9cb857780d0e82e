import { AppError } from '@verdict/service-kit/app-error.js';
import { createTokenBuckets } from '@verdict/shares/token-buckets.js';
import t from 'tap';
import { startStages } from '../src/answers/stages.js';
import type { Dependencies } from '../src/dependencies.js';
import { checkSignUp } from '../src/hooks/check-sign-up.js';
import { hookFailure } from '../src/hooks/hook-failure.js';
import type { FoundHook } from '../src/hooks/hooks.js';

const HOOK: FoundHook = {
  id: 'hok_1',
  kind: 'generic',
  accountId: 'acc_1',
  keyId: 'key_1',
  refuse: ['block'],
  onError: 'refuse',
  message: 'No.',
  secret: 's',
  isRedisAway: false,
};
const SIGN_UP = { eventId: 'e1', email: 'jane@example.com', ip: null, skipped: null };
const LIMITS = { requestId: 'req_1', stages: startStages(1), leftMs: 60_000 };

/** A gateway whose clock does not move; a check would need the rest of it, and fails. */
const gateway = (perSecond: number) => {
  const hookRates = createTokenBuckets({ burst: perSecond, perSecond, ownersMax: 10, now: () => 0 });
  return { backlog: { overflowing: false }, hookRates } as Pick<Dependencies, 'hookRates'> as Dependencies;
};

t.test('a hook has its own rate, and its on_error answers beyond it', async (t) => {
  const deps = gateway(2);
  const outcomes = [];
  for (let i = 0; i < 3; i++) outcomes.push((await checkSignUp(deps, HOOK, SIGN_UP, LIMITS)).outcome);
  t.strictSame(outcomes, ['unavailable', 'unavailable', 'rate_limited']);
  t.match(await checkSignUp(deps, HOOK, SIGN_UP, LIMITS), { outcome: 'rate_limited', refused: true });
  t.match(await checkSignUp(deps, { ...HOOK, onError: 'allow' }, SIGN_UP, LIMITS), { refused: false });
  const other = await checkSignUp(deps, { ...HOOK, id: 'hok_2' }, SIGN_UP, LIMITS);
  t.equal(other.outcome, 'unavailable', 'of another hook');
});

t.test('sign-ups that need no check spend no rate and pass', async (t) => {
  const deps = gateway(0);
  t.match(await checkSignUp(deps, HOOK, { ...SIGN_UP, email: null }, LIMITS), {
    outcome: 'no_address',
    refused: false,
  });
  t.match(await checkSignUp(deps, HOOK, { ...SIGN_UP, skipped: 'invited' }, LIMITS), {
    outcome: 'invited',
    refused: false,
  });
  t.match(await checkSignUp(deps, { ...HOOK, isRedisAway: true }, SIGN_UP, LIMITS), {
    outcome: 'unavailable',
  });
});

t.test('a refused check says why there is no verdict', async (t) => {
  const of = (status: number, code: string) => hookFailure(new AppError(status, code, 'x'));
  t.equal(of(400, 'invalid_request'), 'malformed');
  t.equal(of(403, 'key_inactive'), 'key_unusable');
  t.equal(of(429, 'quota_exceeded'), 'quota_exceeded');
  t.equal(of(429, 'rate_limited'), 'rate_limited');
  t.equal(of(503, 'unavailable'), 'unavailable');
  t.equal(hookFailure(new TypeError('x')), 'unavailable');
});
