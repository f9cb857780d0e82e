/** The network of an IP, as rules ask about it. A part that is undefined is not known and matches nothing. */
export interface PolicyNetwork {
  /** The IP itself, which nothing has to look up. */
  readonly ip?: string | undefined;
  /** Null for an IP of no known kind, and where no IP was sent. */
  readonly kind?: string | null | undefined;
  readonly country?: string | undefined;
  /** "AS64500" */
  readonly asn?: string | undefined;
}

interface Found {
  readonly kind: string | null;
  readonly country?: string | null;
  readonly asn?: number | null;
}

/** As jobs, rows and replay records hold it: kind, country and number with spaces between, such as "vpn DE 64500". */
export const networkText = ({ kind, country, asn }: Found): string =>
  country || asn ? `${kind ?? ''} ${country ?? ''} ${asn ?? ''}` : (kind ?? '');

/** The network of a check. One that was not looked up is not known; without an IP there is none. */
export function networkOf({
  ip,
  network,
}: {
  readonly ip: string | null;
  readonly network?: string | undefined;
}): PolicyNetwork {
  if (network === undefined) return ip === null ? { kind: null } : { ip };
  const [kind, country, asn] = network.split(' ');
  return {
    ip: ip ?? undefined,
    kind: kind || null,
    country: country || undefined,
    asn: asn ? `AS${asn}` : undefined,
  };
}
