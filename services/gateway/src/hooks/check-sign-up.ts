import { createHash } from 'node:crypto';
import type { CheckResult } from '@verdict/contracts/check-api.js';
import { type HookOutcome, hookTag } from '@verdict/contracts/hook-kinds.js';
import { parseIp } from '@verdict/domain/address/parse-ip.js';
import type { SignUp } from '@verdict/domain/hooks/hook-provider.js';
import { unavailable } from '@verdict/service-kit/errors.js';
import { within } from '@verdict/service-kit/within.js';
import type { Stages } from '../answers/stages.js';
import { readCheckInput, readExpansions } from '../check/check-input.js';
import { readIdempotencyKey } from '../check/idempotency.js';
import { type ChecksRun, runChecks } from '../check/run-checks.js';
import type { AnsweredCheck } from '../check/to-answered.js';
import { toResult } from '../check/to-result.js';
import type { Dependencies } from '../dependencies.js';
import { hookFailure } from './hook-failure.js';
import type { FoundHook } from './hooks.js';

/** The result of a sign-up. `run` is null where no check was answered. */
export interface CheckedSignUp {
  readonly outcome: HookOutcome;
  readonly refused: boolean;
  readonly run: ChecksRun | null;
  readonly result: CheckResult | null;
  readonly error: unknown;
}

interface Limits {
  readonly requestId: string;
  readonly stages: Stages;
  readonly leftMs: number;
}

/** Takes the way of POST /check/, charged to the hook's key; without a verdict in time the hook's `on_error` decides. */
export async function checkSignUp(
  deps: Dependencies,
  hook: FoundHook,
  signUp: SignUp,
  limits: Limits,
): Promise<CheckedSignUp> {
  const { email } = signUp;
  if (signUp.skipped) return passed(signUp.skipped);
  if (email === null) return passed('no_address');
  try {
    if (hook.isRedisAway) throw unavailable('redis');
    if (deps.backlog.overflowing) throw unavailable('queue above its high-water mark');
    if (!deps.hookRates.take(hook.id)) return failed(hook, 'rate_limited', null);
    const checked = check(deps, hook, { ...signUp, email }, limits);
    // Without this a check that fails after the deadline would be an unhandled rejection.
    checked.catch(() => undefined);
    const run = await within(limits.leftMs, checked);
    if (run === null) throw unavailable('hook deadline');
    const result = toResult(run.checks[0] as AnsweredCheck);
    const refused = hook.refuse.includes(result.decision);
    return { outcome: refused ? 'refused' : 'allowed', refused, run, result, error: null };
  } catch (error) {
    return failed(hook, hookFailure(error), error);
  }
}

function check(
  deps: Dependencies,
  hook: FoundHook,
  { eventId, email, ip }: SignUp & { readonly email: string },
  { requestId, stages }: Limits,
): Promise<ChecksRun> {
  const input = readCheckInput({ email, ip: usableIp(ip), tag: hookTag(hook) });
  const { accountId, keyId } = hook;
  // The key's id, as a token names it: networks limit the secret of a key, which a hook does not send.
  const caller = { accountId, keyId, credential: keyId };
  const named = [hook.id, eventId, input.address.text, input.ip];
  return runChecks(deps, {
    caller,
    from: () => '',
    inputs: [input],
    expand: readExpansions(undefined),
    requestId,
    stages,
    once: eventId === '' ? null : readIdempotencyKey(`hook:${hash(named)}`, caller, named),
  });
}

/** An IP that cannot be read must not cost a sign-up: the check does without. */
const usableIp = (ip: string | null): string | null => (ip !== null && parseIp(ip).ok ? ip : null);

const hash = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

const passed = (outcome: HookOutcome): CheckedSignUp => ({
  outcome,
  refused: false,
  run: null,
  result: null,
  error: null,
});

const failed = ({ onError }: FoundHook, outcome: HookOutcome, error: unknown): CheckedSignUp => ({
  outcome,
  refused: onError === 'refuse',
  run: null,
  result: null,
  error,
});
