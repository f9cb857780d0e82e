import { type Static, Type } from 'typebox';

/** The header in which a client says how many values of `ip` it left out of a request, because they were none. */
export const DROPPED_IPS_HEADER = 'verdict-dropped-ips';

/** The client of one key, and the IPs that it left out, since the last report. */
export const ClientUseSchema = Type.Object(
  {
    account_id: Type.String(),
    key_id: Type.String(),
    client: Type.Union([Type.String({ description: 'Such as verdict-node/0.2.0' }), Type.Null()]),
    dropped_ips: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type ClientUse = Static<typeof ClientUseSchema>;

/** Keys of one report; those beyond are in the next. */
export const CLIENT_USES_MAX = 2_000;
