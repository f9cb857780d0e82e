import type { GroupKind } from '@verdict/domain/check-groups.js';
import { MAIL_OPERATOR } from '../checks/of-mail-host.js';
import { GROUP_NETWORK } from '../checks/of-network.js';
import { HAS_SHAPE, shapeOf } from '../checks/of-shape.js';
import { Prisma } from '../generated/client.js';

/** The one value of these kinds that a check has, by its subject `s`. */
export const SUBJECT_VALUE = {
  domain: Prisma.sql`s.domain`,
  mail_host: MAIL_OPERATOR,
  network: GROUP_NETWORK,
  mailbox: Prisma.sql`coalesce(s.mailbox_hash, s.email_hash)`,
} satisfies Partial<Record<GroupKind, Prisma.Sql>>;

/** Where the values of a kind come from, for a check `l` and its subject `s`: a table `v` with a column `value`. */
export const GROUP_VALUES: Readonly<Record<GroupKind, Prisma.Sql>> = {
  domain: Prisma.sql`(SELECT ${SUBJECT_VALUE.domain} AS value)`,
  shape: Prisma.sql`(SELECT ${shapeOf(SUBJECT_VALUE.domain)} AS value WHERE ${HAS_SHAPE})`,
  mail_host: Prisma.sql`(SELECT ${SUBJECT_VALUE.mail_host} AS value)`,
  network: Prisma.sql`(SELECT ${SUBJECT_VALUE.network} AS value)`,
  mailbox: Prisma.sql`(SELECT ${SUBJECT_VALUE.mailbox} AS value)`,
  as: Prisma.sql`(SELECT 'AS' || o.asn AS value FROM network_origins o WHERE o.network = ${GROUP_NETWORK})`,
  reason: Prisma.sql`(SELECT DISTINCT f ->> 'code' AS value FROM jsonb_array_elements(l.factors) f)`,
  rule: Prisma.sql`(SELECT p.rules -> l.policy_rule::int ->> 'name' AS value FROM policies p
    WHERE l.policy_rule IS NOT NULL AND p.account_id = l.account_id AND p.version = l.policy_version)`,
};
