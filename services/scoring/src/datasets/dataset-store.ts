import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { findSwing } from '@verdict/datasets/find-swing.js';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import type { DatasetOrigin } from '@verdict/datasets/releases/dataset-origin.js';

/** The loaded data, and the one place where it is exchanged. */
export type DatasetStore = ReturnType<typeof createDatasetStore>;

export type ReloadResult =
  | { readonly kind: 'swapped'; readonly snapshot: DatasetSnapshot }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly message: string };

/** Begins with `first`; everything later comes from the origin. */
export function createDatasetStore(first: DatasetSnapshot, origin: DatasetOrigin) {
  let snapshot = first;
  let flight: Promise<ReloadResult> | undefined;

  async function exchange(): Promise<ReloadResult> {
    try {
      const offer = await origin.latest();
      if (offer === undefined || offer.fingerprint === snapshot.fingerprint) return { kind: 'unchanged' };
      const next = await loadDatasets(offer.read);
      const swing = offer.guarded ? undefined : findSwing(snapshot, next);
      if (swing !== undefined) return { kind: 'refused', message: swing };
      snapshot = next;
      return { kind: 'swapped', snapshot };
    } catch (error) {
      return { kind: 'refused', message: error instanceof Error ? error.message : String(error) };
    }
  }

  return {
    current: () => snapshot,
    /** Looks at the origin and loads what is new there. A refusal leaves the old data in place and says why. */
    reload() {
      flight ??= exchange().finally(() => {
        flight = undefined;
      });
      return flight;
    },
  };
}
