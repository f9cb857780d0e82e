import { assetPath } from '@verdict/domain/asset-path.js';

/** The release that ships with the service: good from the first start, without any network. */
export const SHIPPED_DIR = assetPath('datasets/data');
/** Lists kept by hand, the table of sources and the labelled set. */
export const LISTS_DIR = assetPath('datasets/lists');
