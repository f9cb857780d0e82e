import { type LookUp, lookUpNetworks } from '@verdict/admission/look-up-networks.js';
import { EFFECT_DAYS } from '@verdict/contracts/policy.js';
import { POLICY_ROUTES } from '@verdict/contracts/routes/policy-routes.js';
import type { PolicyState } from '@verdict/db/policies/policies.js';
import { compilePolicy } from '@verdict/domain/policy/compile-policy.js';
import type { Rule } from '@verdict/domain/policy/policy.js';
import { AppError } from '@verdict/service-kit/app-error.js';
import { attach } from '@verdict/service-kit/attach.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { FastifyRequest } from 'fastify';
import type { Dependencies } from '../../dependencies.js';
import { auditOf } from '../../http/audit-of.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { nothingHere } from '../../http/own-id.js';
import { consideredBy } from '../../judging/considered-by.js';
import { blockedShare } from '../blocked-share.js';
import { diffRules } from '../diff-rules.js';
import { countsOf, hitsOf } from '../show-counts.js';

const CHECKS_LOOKED_AT = 1_000;

const conflict = (live: number | null) =>
  new AppError(
    409,
    'policy_conflict',
    `${live === null ? 'No version' : `Version ${live}`} is in use now. Read it and try again.`,
  );

/** Makes a version live or its shadow; answered when every gateway acts on it. */
export function usePolicyRoutes(app: ControlPlaneApp, deps: Dependencies): void {
  const { createId, projectOrPending, search, scoring } = deps;

  /** Without an answer the checks that need one are not part of the share. */
  const lookUp: LookUp = (ips) =>
    scoring.ips({ ips: [...ips] }).then(
      ({ networks }) => networks,
      () => [],
    );

  async function use(
    request: FastifyRequest,
    kind: keyof PolicyState,
    version: number | null,
    check: (rules: readonly Rule[], before: number | null) => Promise<void>,
  ): Promise<number | null> {
    const { account } = request.keyCaller;
    const rules = version === null ? [] : await account.policies.rules(version);
    if (!rules) throw nothingHere();
    const { [kind]: previous } = await account.policies.state();
    await check(rules, previous);
    if (version !== previous) {
      const before = previous === null ? [] : ((await account.policies.rules(previous)) ?? []);
      const audit = auditOf(createId, request, {
        action: `policy.${kind}_set`,
        details: { version, previous, ...diffRules(before, rules) },
      });
      if (!(await account.policies.use(kind, { version, from: previous }, audit)))
        throw conflict((await account.policies.state())[kind]);
    }
    await projectOrPending(account.id);
    return previous;
  }

  attach(app, POLICY_ROUTES.setLive, async (request, reply) => {
    const { version, expect, really = false } = request.body;
    const { account } = request.keyCaller;
    const previous = await use(request, 'live', version, async (rules, live) => {
      if (expect !== undefined && expect !== live) throw conflict(live);
      if (version === null || version === live || really) return;
      const checks = await search(account.id, (searches) => searches.newestChecks(CHECKS_LOOKED_AT), {
        signal: whileOpen(reply),
      });
      const policy = compilePolicy(rules);
      const { ip_intelligence: asksIps } = await account.settings.read();
      const known = asksIps ? await lookUpNetworks(checks, policy, lookUp) : checks;
      const share = blockedShare(known, policy, { now: new Date().toISOString(), asksIps });
      if (share > 0.5) throw blocksMost(share);
    });
    return { success: true, live: version, previous };
  });

  attach(app, POLICY_ROUTES.live, async ({ keyCaller: { account } }) => {
    const { live: version } = await account.policies.state();
    const rules = version === null ? null : await account.policies.rules(version);
    if (version === null || !rules) return { success: true, live: null };
    const names = rules.map(({ name }) => name);
    const found = await account.policies.matches(names, EFFECT_DAYS);
    const counted = names.map((rule) => {
      const { today = 0, days = 0 } = found.find((one) => one.rule === rule) ?? {};
      return { rule, today, last_7_days: days };
    });
    return { success: true, live: { version, rules: counted } };
  });

  attach(app, POLICY_ROUTES.setShadow, async (request) => {
    const { version } = request.body;
    const previous = await use(request, 'shadow', version, async () => undefined);
    return { success: true, shadow: version, previous };
  });

  attach(app, POLICY_ROUTES.shadow, async ({ keyCaller: { account } }, reply) => {
    const { shadow: version } = await account.policies.state();
    if (version === null) return { success: true, shadow: null };
    const [rules, report] = await Promise.all([
      account.policies.rules(version),
      search(account.id, (searches) => searches.shadowReport(version), { signal: whileOpen(reply) }),
    ]);
    const { since, cells, hits } = report;
    const considered = consideredBy(report);
    const shadow = { version, since, ...countsOf(cells), hits: hitsOf(rules ?? [], hits), considered };
    return { success: true, shadow };
  });
}

function blocksMost(share: number): AppError {
  const percent = Math.round(share * 100);
  return new AppError(
    409,
    'policy_blocks_most',
    `This policy would block ${percent} % of your last checks. Send really: true to make it live anyway.`,
    { extra: { share: Math.round(share * 1_000) / 1_000 } },
  );
}
