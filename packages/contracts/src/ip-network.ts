import { type Static, Type } from 'typebox';

/** Kinds of networks. Where lists overlap the first one holds, because lists of VPNs contain private relays. */
export const IP_KINDS = ['relay', 'tor', 'vpn', 'hosting'] as const;
export type IpKind = (typeof IP_KINDS)[number];

export const IpKindSchema = Type.Union([
  Type.Literal(IP_KINDS[0]),
  Type.Literal(IP_KINDS[1]),
  Type.Literal(IP_KINDS[2]),
  Type.Literal(IP_KINDS[3]),
]);

/** Where an IP belongs: an ISO 3166 country, and the autonomous system that announces it. Null where not known. */
const OriginSchema = Type.Object({
  country: Type.Union([Type.String(), Type.Null()]),
  asn: Type.Union([Type.Integer(), Type.Null()]),
  organisation: Type.Union([Type.String(), Type.Null()]),
});
export type IpOrigin = Static<typeof OriginSchema>;

const KindSchema = Type.Object({ kind: Type.Union([...IpKindSchema.anyOf, Type.Null()]) });

/** The network of an IP, as an answer shows it. */
export const IpSignalSchema = Type.Object(
  { ...KindSchema.properties, ...OriginSchema.properties },
  { additionalProperties: false },
);

/** The network of an IP, as scoring finds it. Replicas and replay records of the release before name no origin. */
export const IpNetworkSchema = Type.Object(
  { ...KindSchema.properties, ...Type.Partial(OriginSchema).properties },
  { additionalProperties: false },
);
export type IpNetwork = Static<typeof IpNetworkSchema>;
