import { type Static, Type } from 'typebox';

/** Kinds of networks. Where lists overlap the first one holds, because lists of VPNs contain private relays. */
export const IP_KINDS = ['relay', 'tor', 'vpn', 'hosting'] as const;
export type IpKind = (typeof IP_KINDS)[number];

export const IpKindSchema = Type.Union([
  Type.Literal('relay'),
  Type.Literal('tor'),
  Type.Literal('vpn'),
  Type.Literal('hosting'),
]);

/** The network that an IP belongs to, as far as public lists know. */
export const IpNetworkSchema = Type.Object(
  {
    kind: Type.Union([...IpKindSchema.anyOf, Type.Null()]),
  },
  { additionalProperties: false },
);
export type IpNetwork = Static<typeof IpNetworkSchema>;
