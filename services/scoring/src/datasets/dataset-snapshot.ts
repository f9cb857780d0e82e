import type { Datasets } from '@verdict/contracts/datasets.js';
import type { DomainTable } from './domain-table.js';

export type RoleKind = 'role' | 'unattended';

/** One loaded version of everything. Never changed after loading: a batch keeps the one it began with. */
export interface DatasetSnapshot {
  /** In the shape of GET /status/. */
  readonly versions: Datasets;
  /** Of the manifest: tells two loads apart even when they carry the same dates. */
  readonly fingerprint: string;
  readonly disposable: DomainTable;
  readonly operators: readonly string[];
  readonly disposableMailHosts: ReadonlySet<string>;
  readonly freeProviders: ReadonlySet<string>;
  /** Providers that have mail servers without asking DNS. */
  readonly knownMail: ReadonlySet<string>;
  readonly relays: ReadonlySet<string>;
  readonly roles: ReadonlyMap<string, RoleKind>;
}
