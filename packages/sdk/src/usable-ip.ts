const BYTE = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = new RegExp(`^${BYTE}(\\.${BYTE}){3}$`);
const IPV6 = /^[0-9a-f:]+(:(\d{1,3}\.){3}\d{1,3})?$/i;

/** Whether the service would take it as an IP address. */
export function isIp(text: string): boolean {
  if (IPV4.test(text)) return true;
  if (!IPV6.test(text)) return false;
  try {
    return new URL(`http://[${text}]`).host !== '';
  } catch {
    return false;
  }
}

/** The address without what proxies write around it: brackets, or a port. */
export function bareIp(text: string): string {
  const trimmed = text.trim();
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(trimmed) ?? [];
  if (bracketed !== undefined) return bracketed;
  const [, withoutPort] = /^([^:]+):\d{1,5}$/.exec(trimmed) ?? [];
  return withoutPort ?? trimmed;
}

export interface UsableIps {
  /** The address to send, or undefined where there is none. */
  read(ip: string | null | undefined): string | undefined;
  /** How many were dropped. */
  readonly dropped: number;
}

/**
 * Drops an `ip` that is none, such as `unknown`, counts it and warns once. A proxy's mistake must not cost a sign-up, but lists and
 * rules by network do not see such a check.
 */
export function createUsableIps(warn: (message: string) => void): UsableIps {
  let dropped = 0;
  return {
    read(ip) {
      if (!ip) return undefined;
      const text = bareIp(ip);
      if (isIp(text)) return text;
      if (dropped++ === 0)
        warn(`@verdict/sdk: ${JSON.stringify(ip)} is not an IP address, so checks are sent without it.`);
      return undefined;
    },
    get dropped() {
      return dropped;
    },
  };
}
