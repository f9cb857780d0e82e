import { createRequire } from 'node:module';

/** The release that serves this interface; the interface's own version is the `v1` of its paths. */
export const API_VERSION: string = createRequire(import.meta.url)('../../../package.json').version;
