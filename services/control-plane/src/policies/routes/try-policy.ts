import { type Judgement, judge } from '@verdict/admission/judge.js';
import { POLICY_BYTES_MAX } from '@verdict/contracts/api-paths.js';
import { TryPolicyBodySchema, TryPolicyReplySchema } from '@verdict/contracts/policy.js';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { parseIp } from '@verdict/domain/address/parse-ip.js';
import { compilePolicy } from '@verdict/domain/policy/compile-policy.js';
import { networkOf, networkText, type PolicyNetwork } from '@verdict/domain/policy/policy-network.js';
import { takeAttempt } from '@verdict/redis-store/login-attempts.js';
import { invalidField, tooManyRequests, unavailable } from '@verdict/service-kit/errors.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { namesOf } from '../../logs/names-of.js';
import { matchEntry } from '../match-entry.js';
import { readRules } from '../read-rules.js';

const TRIES_PER_MINUTE = 60;

/** Judges one address by rules that need not be saved. No step is taken, so nothing is counted or logged. */
export function tryPolicyRoute(app: ControlPlaneApp, { redis, scoring }: Dependencies): void {
  /** Looked up as for a check. */
  async function find(
    { settings }: Pick<AccountScope, 'settings'>,
    ip: string | null,
  ): Promise<PolicyNetwork> {
    if (ip === null || !(await settings.read()).ip_intelligence) return networkOf({ ip });
    const known = await scoring.ips({ ips: [ip] }).catch(() => null);
    const [found] = known?.networks ?? [];
    return networkOf({ ip, network: found && networkText(found) });
  }

  app.post(
    '/policies/try/',
    {
      bodyLimit: POLICY_BYTES_MAX,
      schema: {
        tags: ['policies'],
        summary: 'Try rules on one address; never counted',
        description: 'Compares them with the live version.',
        body: TryPolicyBodySchema,
        response: { 200: TryPolicyReplySchema, ...errorReplies(400, 401) },
      },
    },
    async ({ body, caller: { account } }) => {
      const { rules } = readRules({ rules: body.rules });
      const parsed = parseEmail(body.email);
      if (!parsed.ok) throw invalidField('email', parsed.message, parsed.suggestion);
      const ip = body.ip === undefined || body.ip === null ? null : parseIp(body.ip);
      if (ip && !ip.ok) throw invalidField('ip', ip.message);
      const waitMs = await takeAttempt(redis, `policy-try:${account.id}`, TRIES_PER_MINUTE, 60_000);
      if (waitMs > 0) throw tooManyRequests(Math.ceil(waitMs / 1_000));

      const { text, domain } = parsed.address;
      const canonicalIp = ip?.ok ? ip.ip.canonical : null;
      const [found, entries, network, { live }] = await Promise.all([
        scoring.explain({ email: text }).catch((error) => {
          throw unavailable('scoring', error);
        }),
        account.lists.naming(namesOf(text, canonicalIp)),
        find(account, canonicalIp),
        account.policies.state(),
      ]);
      const { decision, risk_score, signals, extra, factors } = found;
      const verdict = { decision, risk_score, signals, extra, factors, datasets: '' };
      const match = matchEntry(entries);
      const tried = compilePolicy(rules);
      const asked = { domain, key: undefined, network, atMicros: Date.now() * 1_000 };
      const judgeBy = (policy: typeof tried | null) =>
        show(judge(verdict, match, undefined, policy && { policy, ...asked }), policy);
      const current = live === null ? null : await account.policies.rules(live);
      return {
        success: true as const,
        live,
        before: judgeBy(current && compilePolicy(current)),
        after: judgeBy(tried),
        unknown: tried.fields.filter(
          (field) =>
            field.startsWith('seen.') ||
            field === 'key' ||
            (field.startsWith('ip.') && network.kind === undefined),
        ),
      };
    },
  );
}

const show = (
  { decision, risk_score, rule, factors }: Judgement,
  policy: ReturnType<typeof compilePolicy> | null,
) => ({
  decision,
  risk_score,
  rule: rule === undefined ? null : (policy?.rules[rule]?.name ?? null),
  factors: [...factors],
});
