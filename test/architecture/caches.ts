/** Whose a remembered thing is: an account's, or everybody's because it says nothing about any account. */
type Whose = 'account' | 'everybody';

export interface CacheRow {
  readonly file: string;
  /** The variable that holds it. */
  readonly name: string;
  readonly key: string;
  readonly whose: Whose;
  /** The mutant that drops the account from the key. */
  readonly seenBy: string;
}

/** Every cache, and every map that gathers until a timer sends it, with its key; caches.test.ts compares the table with the code. */
export const CACHES: readonly CacheRow[] = [
  row(
    'services/gateway/src/auth/identity-cache.ts',
    'known',
    'API key',
    'account',
    'known-as-another-account',
  ),
  row('services/gateway/src/auth/identity-cache.ts', 'absent', 'API key', 'account', 'absent-for-everybody'),
  row(
    'services/gateway/src/auth/identity-cache.ts',
    'inOneFlight',
    'API key',
    'account',
    'asked-as-another-account',
  ),
  row(
    'services/gateway/src/check/account-projector.ts',
    'inOneFlight',
    'account',
    'account',
    'projected-for-everybody',
  ),
  row(
    'services/gateway/src/check/policies.ts',
    'compiled',
    'account, version',
    'account',
    'rules-of-another-account',
  ),
  row(
    'services/gateway/src/check/policies.ts',
    'inOneFlight',
    'account, version',
    'account',
    'rules-of-another-account',
  ),
  row(
    'services/gateway/src/hooks/hooks.ts',
    'owners',
    'id of the hook',
    'account',
    'hook-of-another-account',
  ),
  row(
    'services/gateway/src/hooks/hooks.ts',
    'absent',
    'id of the hook',
    'account',
    'hooks-absent-for-everybody',
  ),
  row(
    'services/gateway/src/hooks/hooks.ts',
    'inOneFlight',
    'id of the hook',
    'account',
    'hooks-asked-as-another',
  ),
  row(
    'services/gateway/src/looks/looks.ts',
    'lastSeen',
    'id of the key',
    'account',
    'figures-of-another-account',
  ),
  row(
    'services/gateway/src/looks/looks.ts',
    'usages',
    'account, month',
    'account',
    'usage-of-another-account',
  ),
  row('services/gateway/src/looks/looks.ts', 'loaded', 'one entry: the datasets', 'everybody', ''),
  row(
    'services/worker/src/policies/policy-rules.ts',
    'compiled',
    'account, version',
    'account',
    'stored-rules-of-another-account',
  ),
  row(
    'packages/admission/src/known-callers.ts',
    'entries',
    'credential',
    'account',
    'needs-of-another-account',
  ),
  row('packages/admission/src/create-fingerprints.ts', 'domains', 'domain', 'everybody', ''),
  row(
    'packages/shares/src/token-buckets.ts',
    'buckets',
    'owner, by whom it is asked',
    'account',
    'one-bucket-for-everybody',
  ),
  row(
    'services/gateway/src/answers/account-load.ts',
    'counts',
    'account',
    'account',
    'load-of-another-account',
  ),
  row(
    'services/gateway/src/answers/key-uses.ts',
    'uses',
    'caller: account, key, credential',
    'account',
    'clients-of-another-account',
  ),
  row('services/worker/src/check-logs/key-usage.ts', 'latest', 'key', 'account', 'last-use-of-another-key'),
  row(
    'services/worker/src/check-logs/quota-watch.ts',
    'byMonth',
    'month, account',
    'account',
    'one-account-hears-of-quotas',
  ),
  row(
    'packages/service-kit/src/refused-requests.ts',
    'groups',
    'key, status, code',
    'account',
    'refusals-of-another-key',
  ),
  row('packages/shares/src/blocked-clients.ts', 'endsAt', 'IP of the client', 'everybody', ''),
  row('packages/admission/src/seen-of.ts', 'READ', 'text of counts', 'everybody', ''),
  row('services/gateway/src/forward/openapi-route.ts', 'documents', 'coding', 'everybody', ''),
  row('services/scoring/src/dns/mail-directory.ts', 'flights', 'domain', 'everybody', ''),
  row('services/scoring/src/dns/mail-directory.ts', 'memory', 'domain', 'everybody', ''),
  row('services/scoring/src/dns/look-up-mail.ts', 'addressesOf', 'host', 'everybody', ''),
  row('services/scoring/src/dns/look-up-mail.ts', 'delegated', 'ending', 'everybody', ''),
  row('services/scoring/src/dns/canary.ts', 'inOneFlight', 'one entry: the canary', 'everybody', ''),
  row('services/scoring/src/score/scorer.ts', 'memos', 'domain', 'everybody', ''),
];

function row(file: string, name: string, key: string, whose: Whose, seenBy: string): CacheRow {
  return { file, name, key, whose, seenBy };
}
