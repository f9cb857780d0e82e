import type { Signals } from '@verdict/contracts/signals.js';
import { LIST_CODES } from '@verdict/domain/account-list.js';
import type { Decision } from '@verdict/domain/decision.js';
import { decisionForScore } from '@verdict/domain/decision.js';
import { instantMicros } from '@verdict/domain/instant-micros.js';
import { RULE_CODES } from '@verdict/domain/policy/apply-policy.js';
import type { CompiledPolicy } from '@verdict/domain/policy/compile-policy.js';
import { networkOf } from '@verdict/domain/policy/policy-network.js';
import { judgeNew } from './engine.js';

/** A check as it is stored. */
export interface StoredCheck {
  readonly key_id: string;
  /** RFC 3339 with its microseconds. */
  readonly created_at: string;
  readonly decision: Decision;
  readonly risk_score: number;
  /** Before lists and rules. */
  readonly verdict_score: number | null;
  readonly signals: Signals;
  /** The expanded flags that are true; null in rows of earlier releases. */
  readonly extra: readonly string[] | null;
  readonly factors: readonly { readonly code: string; readonly points: number }[];
  readonly seen: readonly (number | null)[] | null;
  /** Empty where none was sent, null where it is not stored whole. */
  readonly ip: string | null;
  /** Null where it was not looked up. */
  readonly ip_network: string | null;
  /** Mail servers, as mailText writes them; null in rows of earlier releases. */
  readonly mx: string | null;
  /** Null once the person was erased. */
  readonly domain: string | null;
}

/** Why a check cannot be judged again. */
export type LeftOut = 'erased' | 'earlier_release' | 'no_network' | 'no_mx';

export interface JudgedAgain extends Pick<StoredCheck, 'decision' | 'risk_score' | 'factors'> {
  readonly rule?: number;
  readonly watched?: readonly number[];
}

const LISTED = new Set<string>(Object.values(LIST_CODES));
const RULED = new Set<string>(Object.values(RULE_CODES));

/**
 * Judges a stored check by other rules, with the function that answers checks; a check that met a list entry stays. For an
 * account that does not look up IPs (`asksIps`) a network is unknown and matches nothing, as in its checks.
 */
export function judgeStored(
  check: StoredCheck,
  policy: CompiledPolicy | null,
  asksIps = true,
): JudgedAgain | LeftOut {
  const {
    verdict_score: score,
    signals,
    extra,
    factors,
    seen,
    ip,
    ip_network,
    mx,
    domain,
    key_id: key,
  } = check;
  if (factors.some(({ code }) => LISTED.has(code))) return check;
  if (score === null || extra === null) return 'earlier_release';
  if (domain === null) return 'erased';
  if (policy?.readsIp && ip === null) return 'no_network';
  if (asksIps && policy?.readsNetwork && ip_network === null) return 'no_network';
  if (policy?.readsMail && mx === null) return 'no_mx';
  const found = {
    risk_score: score,
    decision: decisionForScore(score),
    signals,
    extra: { suggestion: null, mail: mx ?? '', ...Object.fromEntries(extra.map((flag) => [flag, true])) },
    factors: factors.flatMap((factor) => (RULED.has(factor.code) ? [] : [{ ...factor, reason: '' }])),
    datasets: '',
  };
  const network = networkOf({ ip: ip ?? '', network: ip_network ?? undefined });
  const counts = { counts: [...(seen ?? [])] };
  return judgeNew(
    found,
    undefined,
    counts,
    policy && { policy, domain, key, network, atMicros: microsOf(check) },
  );
}

function microsOf({ created_at }: Pick<StoredCheck, 'created_at'>): number {
  const micros = instantMicros(created_at);
  if (micros === null) throw new Error(`a check has a created_at that is not an instant: ${created_at}`);
  return micros;
}
