import { IdParamsSchema } from '@verdict/contracts/dashboard/common.js';
import { EvidenceReplySchema } from '@verdict/contracts/dashboard/logs-api.js';
import type { IpNetwork } from '@verdict/contracts/ip-network.js';
import type { Explanation } from '@verdict/contracts/scoring-api.js';
import { expandedFlags, mapFlags } from '@verdict/contracts/signal-flags.js';
import type { AccountScope } from '@verdict/db/accounts/account-scope.js';
import type { Dependencies } from '../../dependencies.js';
import type { ControlPlaneApp } from '../../http/control-plane-app.js';
import { errorReplies } from '../../http/error-replies.js';
import { nothingHere, ownId } from '../../http/own-id.js';
import { namesOf } from '../names-of.js';
import { storedEvidence } from '../stored-evidence.js';

/** Why a check was decided as it was, and how the same address would be judged today. */
export function evidenceRoute(app: ControlPlaneApp, { scoring }: Dependencies): void {
  async function networkOf(
    { settings }: Pick<AccountScope, 'settings'>,
    ip: string,
  ): Promise<IpNetwork | null> {
    if (!(await settings.read()).ip_intelligence) return null;
    const known = await scoring.ips({ ips: [ip] }).catch(() => null);
    return known?.networks[0] ?? null;
  }
  app.get(
    '/dashboard/logs/:id/evidence/',
    {
      schema: {
        tags: ['logs'],
        summary: 'How a check was scored, and how it would be scored now; never counted',
        description: 'Compares the stored facts with those of now.',
        params: IdParamsSchema,
        response: { 200: EvidenceReplySchema, ...errorReplies(401, 404) },
      },
    },
    async (request) => {
      const { account } = request.caller;
      const log = await account.logs.find(ownId('log', request.params.id));
      if (!log) throw nothingHere();
      const names = namesOf(log.email, log.ip);
      // Where the address is masked, the IP is too.
      const ip = names.email === null ? null : names.ip;
      const [explained, own_entries, network] = await Promise.all([
        names.email === null ? null : scoring.explain({ email: names.email }).catch(() => null),
        names.values.length === 0 ? [] : account.lists.naming(names),
        ip === null ? null : networkOf(account, ip),
      ]);
      return {
        success: true as const,
        stored: storedEvidence(log),
        recomputed: explained && recomputed(explained),
        can_recompute: names.email !== null,
        listings: explained?.evidence ?? [],
        own_entries,
        ip_kind: network?.kind ?? null,
        ip_country: network?.country ?? null,
        ip_asn: network?.asn ?? null,
        ip_organisation: network?.organisation ?? null,
      };
    },
  );
}

const recomputed = ({ datasets, decision, risk_score, signals, extra, factors }: Explanation) => ({
  datasets: {
    disposable_domains: datasets.disposable_domains.version,
    free_providers: datasets.free_providers.version,
    role_prefixes: datasets.role_prefixes.version,
  },
  decision,
  risk_score,
  signals: { ...signals, ...mapFlags(expandedFlags, () => false), ...extra },
  factors,
});
