import { stat } from 'node:fs/promises';
import type { DatasetSnapshot } from '@verdict/datasets/dataset-snapshot.js';
import { loadDatasets } from '@verdict/datasets/load-datasets.js';
import {
  type DatasetOffer,
  type DatasetOrigin,
  eitherOrigin,
  folderOrigin,
  releaseOrigin,
} from '@verdict/datasets/releases/dataset-origin.js';
import { folderPlace } from '@verdict/datasets/releases/release-place.js';
import { createReleaseReader, type ReleaseReader } from '@verdict/datasets/releases/release-reader.js';
import { readPublicKeys } from '@verdict/datasets/releases/signature.js';
import { SHIPPED_DIR } from '@verdict/datasets/shipped.js';
import type { Logger } from '@verdict/service-kit/logger.js';
import type { ScoringConfig } from '../config.js';

export interface StartedDatasets {
  readonly first: DatasetSnapshot;
  readonly origin: DatasetOrigin;
  /** Older releases, for explanations; none where only a folder made by hand is read. */
  readonly releases: ReleaseReader | undefined;
}

const FETCH_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Where data comes from, and what to begin with. A replica whose releases cannot be had or read at this moment begins
 * with the shipped data instead of not at all; a folder that the operator filled by hand must be right.
 */
export async function startDatasets(config: ScoringConfig, log: Logger): Promise<StartedDatasets> {
  const keys = readPublicKeys(config.DATASETS_PUBLIC_KEY ?? '');
  const limits = { deadlineMs: config.DATASETS_FETCH_TIMEOUT_MS, bytesMax: FETCH_BYTES_MAX };
  if (config.DATASETS_URL !== undefined) {
    // Its HTTP client is a fifth of the code that a start would have to load.
    const { urlPlace } = await import('@verdict/datasets/releases/url-place.js');
    const releases = createReleaseReader(urlPlace(config.DATASETS_URL, limits), keys);
    const origin = releaseOrigin(releases);
    return { first: await loadOrShipped(origin, log), origin, releases };
  }
  if (config.DATASETS_DIR === SHIPPED_DIR) {
    const origin = folderOrigin(SHIPPED_DIR);
    return { first: await loadDatasets(SHIPPED_DIR, { namesChecked: true }), origin, releases: undefined };
  }
  // A mistyped path must not pass for a folder that is still empty.
  await stat(config.DATASETS_DIR);
  const releases = createReleaseReader(folderPlace(config.DATASETS_DIR), keys);
  const origin = eitherOrigin(config.DATASETS_DIR, releases, keys.length === 0);
  return { first: await loadOrShipped(origin, log), origin, releases };
}

async function loadOrShipped(origin: DatasetOrigin, log: Logger): Promise<DatasetSnapshot> {
  let offer: DatasetOffer | undefined;
  try {
    offer = await origin.latest();
    if (offer === undefined)
      log.info({ origin: origin.name }, 'no release was published yet, the shipped datasets are used');
    else if (offer.guarded) return await loadDatasets(offer.read);
  } catch (error) {
    log.error(
      { origin: origin.name, cause: (error as Error).message },
      'the release cannot be used, the shipped datasets are',
    );
  }
  // A folder placed by hand must work, or the start fails.
  return offer?.guarded === false
    ? loadDatasets(offer.read)
    : loadDatasets(SHIPPED_DIR, { namesChecked: true });
}
