import { Prisma } from '../generated/client.js';
import { GROUP_NETWORK } from './of-network.js';

/** Subjects whose IP is in a network `o` of this country or AS, as far as the worker has looked networks up. */
export const ofOrigin = (condition: Prisma.Sql): Prisma.Sql => Prisma.sql`(
  s.ip IS NOT NULL AND ${GROUP_NETWORK} IN (SELECT o.network FROM network_origins o WHERE ${condition}))`;
