import { VERSION } from './version.js';

interface Platform {
  readonly process?: { readonly versions?: { readonly node?: string } };
  readonly navigator?: { readonly userAgent?: string };
}

/** Names this client, so that operators see which versions are in use. */
export function userAgent({ process, navigator }: Platform = globalThis as Platform): string {
  const node = process?.versions?.node;
  const platform = navigator?.userAgent ?? (node ? `Node.js/${node}` : '');
  return `verdict-node/${VERSION} ${platform}`.trim();
}
