/** Kind of network of a check's IP: null for none, undefined where an IP was sent and not looked up. */
export const ipKindOf = ({
  ip,
  network,
}: {
  readonly ip: string | null;
  readonly network?: string | undefined;
}): string | null | undefined => (network === undefined ? (ip === null ? null : undefined) : network || null);
