import { createSealer } from '@verdict/domain/sealed-text.js';
import { type ProjectedHook, projectedHookText } from '@verdict/redis-store/projected-hook.js';
import type { AccountStore } from '@verdict/redis-store/shards.js';
import { createBlockedClients } from '@verdict/shares/blocked-clients.js';
import { createTokenBuckets } from '@verdict/shares/token-buckets.js';
import t from 'tap';
import { Value } from 'typebox/value';
import { startStages } from '../src/answers/stages.js';
import { GatewayConfigSchema } from '../src/config.js';
import type { Dependencies } from '../src/dependencies.js';
import { checkSignUp } from '../src/hooks/check-sign-up.js';
import { hookLimits } from '../src/hooks/hook-limits.js';
import { createHooks } from '../src/hooks/hooks.js';

/** Dependencies that hang here hang for ever, so any answer came without them; the limits say when it would come. */
const never = <T>() => new Promise<T>(() => {});
const ID = 'hok_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const HOME = '198.51.100.7';
const SOON = 1;
const LATE = 600_000;

const sealer = createSealer(Buffer.alloc(32).toString('base64'), (bytes) => bytes.fill(7));
const HOOK: ProjectedHook = {
  id: ID,
  kind: 'supabase',
  keyId: 'key_1',
  refuse: ['block'],
  onError: 'refuse',
  message: 'No.',
  secret: sealer.seal('secret', ID),
};
const REPLY = { accountId: 'acc_1', hook: projectedHookText(HOOK) };

interface Parts {
  readonly redis: object;
  readonly findHook?: () => Promise<typeof REPLY | null>;
  readonly project?: () => Promise<boolean>;
  readonly limits: Partial<ReturnType<typeof hookLimits>>;
}
const LOST = { get: async () => null };
const HANGING = { get: never };

function hooksOf({ redis, findHook = async () => REPLY, project = async () => true, limits }: Parts) {
  return createHooks({
    store: { redis: redis as AccountStore['redis'], shards: 1 },
    controlPlane: { findHook, project },
    sealer,
    blockedClients: createBlockedClients(),
    limits: { ...hookLimits(LATE), ...limits },
  });
}

t.test(
  'the limits of all parts end before the answer of a hook, which leaves within two seconds',
  async (t) => {
    const answerMs = Value.Create(GatewayConfigSchema.properties.HOOK_ANSWER_MS);
    t.ok(answerMs <= 1_800, 'a fifth of a second is left for the way');
    const { redisMs, controlPlaneMs, projectMs } = hookLimits(answerMs);
    t.ok(redisMs + controlPlaneMs + projectMs < answerMs);
  },
);

t.test('on_error answers while Redis hangs', async (t) => {
  const project = () => Promise.reject(new Error('must not be asked'));
  const hooks = hooksOf({ redis: HANGING, project, limits: { redisMs: SOON } });
  const hook = await hooks.find(ID, HOME);
  t.match(hook, { onError: 'refuse', isRedisAway: true, accountId: 'acc_1' });
  t.match(hook && (await checkOf(hook)), { outcome: 'unavailable', refused: true });
});

t.test('a control plane that hangs beside Redis is an error, because on_error is unknown', async (t) => {
  for (const redis of [HANGING, LOST]) {
    const hooks = hooksOf({ redis, findHook: never, limits: { redisMs: SOON, controlPlaneMs: SOON } });
    t.match(await hooks.find(ID, HOME).catch((error) => error), { status: 503 });
  }
});

t.test(
  'an account that cannot be brought back in time costs a hook its verdict, not its answer',
  async (t) => {
    for (const project of [() => never<boolean>(), () => Promise.reject(new Error('away'))]) {
      const hooks = hooksOf({ redis: LOST, project, limits: { redisMs: LATE, projectMs: SOON } });
      t.match(await hooks.find(ID, HOME), { onError: 'refuse', isRedisAway: false });
    }
  },
);

t.test('on_error answers when the time of the answer is over, while the check hangs', async (t) => {
  const hook = await hooksOf({ redis: LOST, limits: {} }).find(ID, HOME);
  for (const leftMs of [SOON, 0, -SOON])
    t.match(hook && (await checkOf(hook, leftMs)), { outcome: 'unavailable', refused: true });
});

/** Signs up at a gateway whose checks hang. */
function checkOf(hook: Parameters<typeof checkSignUp>[1], leftMs = LATE) {
  const deps = {
    backlog: { overflowing: false },
    hookRates: createTokenBuckets({ burst: 9, perSecond: 9, ownersMax: 9 }),
    admission: { look: never },
  } as Partial<Record<keyof Dependencies, unknown>> as Dependencies;
  const signUp = { eventId: 'e1', email: 'jane@example.com', ip: null, skipped: null };
  return checkSignUp(deps, hook, signUp, { requestId: 'req_1', stages: startStages(1), leftMs });
}
