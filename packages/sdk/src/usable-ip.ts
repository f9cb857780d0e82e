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

/**
 * Leaves out an `ip` that is none, such as `unknown` or an address with a port, and warns once. Proxies write such things, and
 * the `ip` decides nothing, so it must not cost a sign-up.
 */
export function createUsableIp(
  warn: (message: string) => void,
): (ip: string | null | undefined) => string | undefined {
  let hasWarned = false;
  return (ip: string | null | undefined): string | undefined => {
    if (!ip) return undefined;
    const text = ip.trim();
    if (isIp(text)) return text;
    if (!hasWarned) {
      hasWarned = true;
      warn(`@verdict/sdk: ${JSON.stringify(ip)} is not an IP address, so checks are sent without it.`);
    }
    return undefined;
  };
}
