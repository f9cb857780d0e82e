import type { Verdict } from './verdict.js';

const booleans = [false, true] as const;

/** All eight texts of `signals`, by disposable_email, mx_valid and free_provider. */
const signalTexts: readonly string[] = booleans.flatMap((disposable_email) =>
  booleans.flatMap((mx_valid) =>
    booleans.map((free_provider) => JSON.stringify({ disposable_email, mx_valid, free_provider })),
  ),
);

/** All thirty-two beginnings of `extra`, up to the suggestion. */
const extraTexts: readonly string[] = booleans.flatMap((role_account) =>
  booleans.flatMap((no_reply) =>
    booleans.flatMap((relay) =>
      booleans.flatMap((mx_unknown) =>
        booleans.map((plus_tag) =>
          JSON.stringify({ role_account, no_reply, relay, mx_unknown, plus_tag }).replace(
            /\}$/,
            ',"suggestion":',
          ),
        ),
      ),
    ),
  ),
);

/**
 * A verdict as JSON. Most of it is one of a few fixed texts, so it is put together from them instead of being
 * serialised: this is the costliest step of a warm verdict. `datasets` are the versions that it was made with.
 */
export function writeVerdict(verdict: Verdict, datasets: string): string {
  const signals =
    (verdict.disposableEmail ? 4 : 0) + (verdict.mxValid ? 2 : 0) + (verdict.freeProvider ? 1 : 0);
  const extra =
    (verdict.roleAccount ? 16 : 0) +
    (verdict.noReply ? 8 : 0) +
    (verdict.relay ? 4 : 0) +
    (verdict.mxUnknown ? 2 : 0) +
    (verdict.plusTag ? 1 : 0);
  const suggestion = verdict.suggestion === null ? 'null' : JSON.stringify(verdict.suggestion);
  let factors = '';
  for (const { finding, points } of verdict.factors) {
    factors += `${factors === '' ? '' : ','}${finding.jsonBefore}${points}${finding.jsonAfter}`;
  }
  return `{"risk_score":${verdict.riskScore},"signals":${signalTexts[signals]},"extra":${extraTexts[extra]}${suggestion}},"factors":[${factors}],"datasets":"${datasets}"}`;
}
