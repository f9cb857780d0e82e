import { type Static, Type } from 'typebox';
import { CLIENT_USES_MAX, ClientUseSchema } from './client-uses.js';

/** Requests of one value of a key from one network, without the address itself. */
const KeyUseSchema = Type.Object(
  {
    account_id: Type.String(),
    key_id: Type.String(),
    credential: Type.String({ description: 'The value, as the step knows it' }),
    network: Type.String({ description: 'A /24 of IPv4, a /48 of IPv6' }),
    requests: Type.Integer({ minimum: 1 }),
  },
  { additionalProperties: false },
);
export type KeyUse = Static<typeof KeyUseSchema>;

/** Addresses of one report; what comes beyond is not counted. */
export const KEY_USES_MAX = 2_000;
/** Networks kept of a key and a day. */
export const KEY_NETWORKS_A_DAY_MAX = 1_000;
export const KEY_USES_DAYS = 30;

/** Gateway to control plane: by which clients and from where keys were used since the last report. */
export const KEY_USES_PATH = '/internal/key-uses';
export const KeyUsesReportSchema = Type.Object(
  {
    clients: Type.Array(ClientUseSchema, { maxItems: CLIENT_USES_MAX }),
    networks: Type.Array(KeyUseSchema, { maxItems: KEY_USES_MAX }),
  },
  { additionalProperties: false },
);
export type KeyUsesReport = Static<typeof KeyUsesReportSchema>;
