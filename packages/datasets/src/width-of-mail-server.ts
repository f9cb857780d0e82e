import { parse } from 'tldts';
import { isSharedHost } from './mail-hosts.js';

const options = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
  detectIp: false,
};

/** Why an entry for a mail server would reach people who have nothing to do with each other; undefined where it would not. */
export function widthOfMailServer(host: string): 'shared' | 'suffix' | undefined {
  if (parse(host, options).publicSuffix === host) return 'suffix';
  return isSharedHost(host) ? 'shared' : undefined;
}
