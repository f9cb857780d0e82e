import type { IpNetwork } from '@verdict/contracts/ip-network.js';
import { LOG_ROUTES } from '@verdict/contracts/routes/log-routes.js';
import { expandedFlags, mapFlags } from '@verdict/contracts/signal-flags.js';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { LogDetailRow } from '@verdict/db/checks/log-reading.js';
import { type ListingChanged, listingIntervals } from '@verdict/domain/listing-intervals.js';
import { mailOf } from '@verdict/domain/mail-servers.js';
import { attach } from '@verdict/service-kit/attach.js';
import { whileOpen } from '@verdict/service-kit/while-open.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { ownId } from '../../http/own-id.js';
import { type Asked, judgeNow, type Now } from '../../judging/judge-now.js';
import { findCheck } from '../find-check.js';
import { namesOf } from '../names-of.js';
import { storedEvidence } from '../stored-evidence.js';

/** A check is revised when the lists change about its domain, which is seldom. */
const REVISIONS_SHOWN = 10;

/** Why a check was decided as it was, and what the same check would get if it were sent now. */
export function evidenceRoute(app: ControlPlaneApp, deps: Dependencies): void {
  const { scoring, preview, allowance } = deps;
  /** Where there is nothing to judge, the IP may still be known. */
  async function networkOf(
    { settings }: Pick<AccountScope, 'settings'>,
    ip: string,
  ): Promise<IpNetwork | null> {
    if (!(await settings.read()).ip_intelligence) return null;
    const known = await scoring.ips({ ips: [ip] }).catch(() => null);
    return known?.networks[0] ?? null;
  }
  /** The same check with the same key; null while something that it needs is away, or the day's allowance is used up. */
  const again = (
    account: AccountScope,
    asked: Pick<Asked, 'address' | 'ip' | 'signal'>,
    { key_id: key, mode }: Pick<LogDetailRow, 'key_id' | 'mode'>,
  ): Promise<Now | null> =>
    judgeNow({ scoring, preview, allowance }, { ...asked, account, key, isTest: mode === 'test' }).catch(
      () => null,
    );

  attach(app, LOG_ROUTES.evidence, async (request, reply) => {
    const { account } = request.caller;
    const id = ownId('log', request.params.id);
    const signal = whileOpen(reply);
    const log = await findCheck(deps, account, id, { signal });
    const names = namesOf(log.email, log.ip, log.mx?.hosts ?? []);
    const { address, domains } = names;
    // Where the address is masked, the IP is too.
    const ip = address === null ? null : names.ip;
    const [now, own_entries, changes, revisions] = await Promise.all([
      address && again(account, { address, ip, signal }, log),
      names.values.length === 0 ? [] : account.lists.naming(names),
      account.revisions.listings(domains),
      account.revisions.page(null, REVISIONS_SHOWN, log.id),
    ]);
    const network = now ? now.network : ip === null ? null : await networkOf(account, ip);
    return {
      success: true,
      stored: storedEvidence(log),
      recomputed: now && recomputed(now),
      can_recompute: address !== null,
      listings: now?.explained.evidence ?? [],
      listed: domains.flatMap((entry) => listedAs(entry, changes, now?.explained.evidence ?? [])),
      revisions,
      own_entries,
      ip_kind: network?.kind ?? null,
      ip_country: network?.country ?? null,
      ip_asn: network?.asn ?? null,
      ip_organisation: network?.organisation ?? null,
    };
  });
}

/** When sources had an entry: their changes, and those that have it now without one. */
function listedAs(
  entry: string,
  changes: readonly (ListingChanged & { readonly domain: string })[],
  evidence: Now['explained']['evidence'],
) {
  const listedNow = evidence.filter((each) => each.list === 'disposable_domains' && each.entry === entry);
  return listingIntervals(
    changes.filter(({ domain }) => domain === entry),
    listedNow.map(({ source }) => source),
  ).map((interval) => ({ entry, ...interval }));
}

function recomputed({
  explained: {
    datasets,
    signals,
    extra: { mail, ...extra },
  },
  live,
  policy,
  considered,
  under,
}: Now) {
  const { decision, risk_score, factors, ruleName } = under(policy);
  return {
    datasets: {
      disposable_domains: datasets.disposable_domains.version,
      free_providers: datasets.free_providers.version,
      role_prefixes: datasets.role_prefixes.version,
    },
    decision,
    risk_score,
    signals: { ...signals, ...mapFlags(expandedFlags, () => false), ...extra, mx: mailOf(mail) },
    factors: [...factors],
    policy: live === null ? null : { version: live, rule: ruleName },
    considered,
  };
}
