import { readFileSync } from 'node:fs';

/** The release of this checkout or image. Apart from the settings: whoever asks for it should not wait for them. */
export const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string })
    .version;
