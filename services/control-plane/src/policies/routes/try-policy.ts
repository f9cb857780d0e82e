import { POLICY_ROUTES } from '@verdict/contracts/routes/policy-routes.js';
import { normalIp } from '@verdict/domain/address/normal-ip.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { parseIp } from '@verdict/domain/address/parse-ip.js';
import { compilePolicy } from '@verdict/domain/policy/compile-policy.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { attach } from '@verdict/service-kit/attach.js';
import { invalidField, unavailable } from '@verdict/service-kit/errors.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { judgeNow, type Now } from '../../judging/judge-now.js';
import { readRules } from '../read-rules.js';

/** Judges one address by rules that need not be saved. No step is taken, so nothing is counted or logged. */
export function tryPolicyRoute(app: ControlPlaneApp, { scoring, preview, allowance }: Dependencies): void {
  attach(app, POLICY_ROUTES.try, async ({ body, keyCaller: { account } }, reply) => {
    const { rules } = readRules({ rules: body.rules });
    const parsed = parseEmail(body.email);
    if (!parsed.ok) throw invalidField('email', parsed.message, parsed.suggestion);
    const ip = body.ip === undefined || body.ip === null ? null : parseIp(body.ip);
    if (ip && !ip.ok) throw invalidField('ip', ip.message);

    const asked = {
      account,
      address: parsed.address,
      ip: ip?.ok ? normalIp(ip.ip) : null,
      key: undefined,
      signal: whileOpen(reply),
    };
    const now = await judgeNow({ scoring, preview, allowance }, asked).catch((error) => {
      throw error instanceof AppError ? error : unavailable('scoring', error);
    });
    const tried = compilePolicy(rules);
    return {
      success: true,
      live: now.live,
      before: show(now.under(now.policy)),
      after: show(now.under(tried)),
      unknown: tried.fields.filter(now.isUnknown),
      considered: now.considered,
    };
  });
}

const show = ({ decision, risk_score, ruleName, factors }: ReturnType<Now['under']>) => ({
  decision,
  risk_score,
  rule: ruleName,
  factors: [...factors],
});
