import manifest from '../package.json' with { type: 'json' };

/** The release of this checkout or image. */
export const version = (): string => manifest.version;
