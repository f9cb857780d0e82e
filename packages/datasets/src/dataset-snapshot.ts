import type { Datasets } from '@verdict/contracts/datasets.js';
import type { DomainTable } from './domain-table.js';
import type { IpNetworks } from './ip-networks.js';
import type { Manifest } from './manifest.js';
import type { MailHostTier } from './read-mail-hosts.js';

export type RoleKind = 'role' | 'unattended';

/** One loaded version of everything. Never changed after loading: a batch keeps the one it began with. */
export interface DatasetSnapshot {
  /** In the shape of GET /status/. */
  readonly versions: Datasets;
  /** From the manifest: distinguishes two loads with the same dates. */
  readonly fingerprint: string;
  /** Of a published release; the shipped data and folders made by hand have none. */
  readonly release: string | undefined;
  readonly disposable: DomainTable;
  /** Whose word each bit of a listing is. */
  readonly disposableSources: Manifest['disposable_sources'];
  readonly operators: readonly string[];
  readonly disposableMailHosts: ReadonlyMap<string, MailHostTier>;
  /** Listed names that a crawler saw at a throw-away service in its last 30 days. */
  readonly freshlyCrawled: ReadonlySet<string>;
  /** IPv4 addresses of mail servers that many throw-away fronts share. */
  readonly disposableMailAddresses: ReadonlySet<string>;
  /** Public suffixes that throw-away domains are registered under. */
  readonly riskyEndings: ReadonlySet<string>;
  /** Known web sites under risky endings; undefined where no such data is loaded. */
  readonly establishedSites: DomainTable | undefined;
  readonly freeProviders: ReadonlySet<string>;
  /** Providers that have mail servers without asking DNS. */
  readonly knownMail: ReadonlySet<string>;
  readonly relays: ReadonlySet<string>;
  readonly ipNetworks: IpNetworks;
  /** Domains whose addresses are telephone numbers. */
  readonly smsGateways: ReadonlySet<string>;
  readonly roles: ReadonlyMap<string, RoleKind>;
}
