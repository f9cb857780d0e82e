import type { DatasetSnapshot } from './dataset-snapshot.js';
import { loadDatasets } from './load-datasets.js';

/** The loaded data, and the one place where it is exchanged. */
export interface DatasetStore {
  current(): DatasetSnapshot;
  /** Loads again. A refusal leaves the old data in place and says why. */
  reload(): Promise<ReloadResult>;
}

export type ReloadResult =
  | { readonly kind: 'swapped'; readonly snapshot: DatasetSnapshot }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly message: string };

/** More than this, and it is likelier that a source broke than that the world changed. */
const SWING_MAX = 0.2;

export async function createDatasetStore(directory: string): Promise<DatasetStore> {
  let snapshot = await loadDatasets(directory);
  let flight: Promise<ReloadResult> | undefined;

  async function exchange(): Promise<ReloadResult> {
    try {
      const next = await loadDatasets(directory);
      if (next.fingerprint === snapshot.fingerprint) return { kind: 'unchanged' };
      const swing = findSwing(snapshot, next);
      if (swing !== undefined) return { kind: 'refused', message: swing };
      snapshot = next;
      return { kind: 'swapped', snapshot };
    } catch (error) {
      return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    current: () => snapshot,
    reload() {
      flight ??= exchange().finally(() => {
        flight = undefined;
      });
      return flight;
    },
  };
}

function findSwing(old: DatasetSnapshot, next: DatasetSnapshot): string | undefined {
  const sizes: [string, number, number][] = [
    ['disposable domains', old.disposable.size, next.disposable.size],
    ['free providers', old.freeProviders.size, next.freeProviders.size],
    ['known mail', old.knownMail.size, next.knownMail.size],
    ['role prefixes', old.roles.size, next.roles.size],
  ];
  for (const [name, before, after] of sizes) {
    if (Math.abs(after - before) > before * SWING_MAX) {
      return `${name} went from ${before} to ${after} entries, more than ${SWING_MAX * 100} %`;
    }
  }
  return undefined;
}
