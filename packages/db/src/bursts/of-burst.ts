import type { BurstKind } from '@verdict/domain/check-groups.js';
import { ofDomains } from '../checks/of-domains.js';
import { ofMailHost } from '../checks/of-mail-host.js';
import { ofMailbox } from '../checks/of-mailbox.js';
import { ofNetwork } from '../checks/of-network.js';
import { ofOrigin } from '../checks/of-origin.js';
import { ofShape } from '../checks/of-shape.js';
import { Prisma } from '../generated/client.js';

/** Checks `l` with subjects `s` that a burst repeats. */
export const ofBurst = ({ kind, value }: { readonly kind: BurstKind; readonly value: string }): Prisma.Sql =>
  CONDITIONS[kind](value);

const CONDITIONS: Readonly<Record<BurstKind, (value: string) => Prisma.Sql>> = {
  network: ofNetwork,
  mailbox: (hash) => ofMailbox(Prisma.sql`${hash}`),
  domain: (domain) => ofDomains([domain]),
  mail_host: ofMailHost,
  shape: ofShape,
  as: (name) => ofOrigin(Prisma.sql`o.asn = ${Number(name.slice('AS'.length))}`),
};
