import manifest from '../../package.json' with { type: 'json' };

/** The release that serves this interface; the interface's own version is the `v1` of its paths. */
export const API_VERSION: string = manifest.version;
