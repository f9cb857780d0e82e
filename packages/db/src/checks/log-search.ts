import type { KeyMode } from '@verdict/domain/key-words.js';
import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { columnsOf, type RowOf } from '../database/columns.js';
import { isBefore, type Position } from '../database/is-before.js';
import { rowsOf } from '../database/rows-of.js';
import { archivedDays } from '../facts/archived-days.js';
import { asStored } from '../facts/as-stored.js';
import { daysNear } from '../facts/days-near.js';
import type { FactsRow } from '../facts/facts-row.js';
import { Prisma } from '../generated/client.js';
import { hasNoOutcome, hasOutcome } from '../outcomes/outcome-of.js';
import { isRevised } from '../revisions/is-revised.js';
import { ofBeginning } from './of-beginning.js';
import { ofDomains } from './of-domains.js';
import { ofMailHost } from './of-mail-host.js';
import { ofMailbox } from './of-mailbox.js';
import { ofNetwork } from './of-network.js';
import { ofOrigin } from './of-origin.js';
import { ofShape } from './of-shape.js';
import { SAME_CHECK } from './same-check.js';
import { CHECK_TABLES, shownCheck } from './shown-check.js';

export interface LogFilter {
  /** Checks of test keys are stored apart; the default is live checks. */
  readonly mode?: KeyMode;
  readonly decisions?: readonly string[];
  readonly keyId?: string;
  /** Spellings of one lower-case address and of its domain; the domain is what the index knows. */
  readonly email?: { readonly addresses: readonly string[]; readonly domains: readonly string[] };
  /** Every spelling of one mailbox: by its hash, or as of the check with this id. */
  readonly mailbox?: { readonly hash: string } | { readonly logId: string };
  readonly domains?: readonly string[];
  /** The beginning of the address or its domain, in lower case. */
  readonly beginning?: string;
  /** As domainShape writes it. */
  readonly shape?: string;
  /** Operator of the mail servers. */
  readonly mailHost?: string;
  /** As parseIpNetwork writes it. */
  readonly network?: string;
  readonly country?: string;
  readonly asn?: number;
  /** Codes of factors, of which the check has one. */
  readonly codes?: readonly string[];
  /** The code of the list that decided. */
  readonly listed?: string;
  /** Spellings of one IP address. */
  readonly ips?: readonly string[];
  /** One request, and the time around it that the index knows. */
  readonly request?: { readonly id: string; readonly from: string; readonly to: string };
  /** Only these checks. */
  readonly ids?: readonly string[];
  /** The name of the rule that decided, in any version. */
  readonly rule?: string;
  readonly tag?: string;
  /** Checks with one of these outcomes; none of them: checks without an outcome. */
  readonly outcomes?: readonly string[];
  /** Only checks that a second look decided differently. */
  readonly revised?: true;
  readonly scoreMin?: number;
  readonly scoreMax?: number;
  readonly from?: string;
  readonly to?: string;
}

const LogRow = columnsOf('log');
export type LogRow = RowOf<typeof LogRow>;

/** Searches among one account's checks. */
export function createLogSearch(db: Database, accountId: string) {
  /** The page is cut before the join: with stale statistics Postgres would otherwise join the whole account first. */
  const newestOf = (
    mode: KeyMode,
    table: Prisma.Sql,
    facts: Prisma.Sql,
    countMax: number,
  ): Promise<LogRow[]> =>
    rowsOf(db, LogRow)`
      SELECT ${shownCheck(mode)}
      FROM (SELECT l.* FROM ${table} l WHERE ${facts} ${NEWEST_FIRST} LIMIT ${countMax}) l
      LEFT JOIN check_subjects s ON ${SAME_CHECK}
      ${NEWEST_FIRST}`;
  const factsSought = (filter: LogFilter, before: Position | null) =>
    allOf(Prisma.sql`l.account_id = ${accountId}`, ...factConditions(accountId, filter, before));

  return {
    /** Newest first, those before a position. Never an offset: page 10,000 costs what page 1 costs. */
    page(filter: LogFilter, before: Position | null, countMax: number): Promise<LogRow[]> {
      const { mode = 'live' } = filter;
      const facts = factsSought(filter, before);
      const subjects = subjectConditions(accountId, filter);
      if (subjects.length === 0) return newestOf(mode, CHECK_TABLES[mode], facts, countMax);
      return rowsOf(db, LogRow)`
        SELECT ${shownCheck(mode)} FROM ${CHECK_TABLES[mode]} l JOIN check_subjects s ON ${SAME_CHECK}
        WHERE ${facts} AND s.account_id = ${accountId} AND ${allOf(...subjects)}
        ${NEWEST_FIRST} LIMIT ${countMax}`;
    },

    /** The archived days whose checks a filter may name, oldest first: none for a person, of whom no file says anything. */
    async archivedDays(filter: LogFilter): Promise<string[]> {
      if (filter.mode === 'test' || subjectConditions(accountId, filter).length > 0) return [];
      const { request, ids, from = request?.from ?? FIRST_MOMENT, to = request?.to ?? LAST_MOMENT } = filter;
      const days = await archivedDays(db, accountId, from, to);
      return ids ? days.filter((day) => ids.some((id) => daysNear(id).has(day))) : days;
    },

    /** Those of a page of the archive that a filter names. */
    pageOfArchive: (rows: readonly FactsRow[], filter: LogFilter): Promise<LogRow[]> =>
      newestOf('live', asStored(rows), factsSought(filter, null), rows.length),
  };
}

const NEWEST_FIRST = Prisma.sql`ORDER BY l.created_at DESC, l.id DESC`;
const FIRST_MOMENT = '2000-01-01T00:00:00Z';
const LAST_MOMENT = '9999-01-01T00:00:00Z';

export const factConditions = (
  accountId: string,
  {
    decisions,
    keyId,
    request,
    ids,
    codes,
    listed,
    rule,
    tag,
    outcomes,
    revised,
    scoreMin,
    scoreMax,
    from,
    to,
  }: LogFilter,
  before: Position | null,
) => [
  before && isBefore(before, 'l'),
  decisions !== undefined && Prisma.sql`l.decision = ANY(${[...decisions]}::text[])`,
  keyId !== undefined && Prisma.sql`l.key_id = ${keyId}`,
  request !== undefined &&
    Prisma.sql`l.request_id = ${request.id}
      AND l.created_at BETWEEN ${request.from}::timestamptz AND ${request.to}::timestamptz`,
  ids !== undefined && Prisma.sql`l.id = ANY(${[...ids]}::text[])`,
  codes !== undefined &&
    Prisma.sql`l.factors @> ANY(${codes.map((code) => JSON.stringify([{ code }]))}::jsonb[])`,
  listed !== undefined && Prisma.sql`l.factors @> ${JSON.stringify([{ code: listed }])}::jsonb`,
  rule !== undefined &&
    Prisma.sql`l.policy_rule IS NOT NULL AND (l.policy_version, l.policy_rule) IN (
      SELECT p.version, (r.place - 1)::smallint FROM policies p, jsonb_array_elements(p.rules) WITH ORDINALITY AS r(rule, place)
      WHERE p.account_id = ${accountId} AND r.rule ->> 'name' = ${rule})`,
  tag !== undefined && Prisma.sql`l.tag = ${tag}`,
  outcomes !== undefined && (outcomes.length > 0 ? hasOutcome(accountId, outcomes) : hasNoOutcome(accountId)),
  revised && isRevised(accountId),
  scoreMin !== undefined && Prisma.sql`l.risk_score >= ${scoreMin}`,
  scoreMax !== undefined && Prisma.sql`l.risk_score <= ${scoreMax}`,
  from !== undefined && Prisma.sql`l.created_at >= ${from}::timestamptz`,
  to !== undefined && Prisma.sql`l.created_at < ${to}::timestamptz`,
];

export function subjectConditions(accountId: string, filter: LogFilter): Prisma.Sql[] {
  const { email, mailbox, domains, beginning, shape, mailHost, network, country, asn, ips } = filter;
  const conditions: Prisma.Sql[] = [];
  if (mailbox) {
    conditions.push(
      ofMailbox(
        'hash' in mailbox
          ? Prisma.sql`${mailbox.hash}`
          : Prisma.sql`(SELECT coalesce(m.mailbox_hash, m.email_hash) FROM check_subjects m
              WHERE m.account_id = ${accountId} AND m.id = ${mailbox.logId})`,
      ),
    );
  }
  if (email) {
    conditions.push(ofDomains(email.domains));
    conditions.push(Prisma.sql`lower(s.email) = ANY(${[...email.addresses]}::text[])`);
  }
  if (domains) conditions.push(ofDomains(domains));
  if (beginning !== undefined) conditions.push(ofBeginning(accountId, beginning));
  if (shape !== undefined) conditions.push(ofShape(shape));
  if (mailHost !== undefined) conditions.push(ofMailHost(mailHost));
  if (network !== undefined) conditions.push(ofNetwork(network));
  if (country !== undefined) conditions.push(ofOrigin(Prisma.sql`o.country = ${country}`));
  if (asn !== undefined) conditions.push(ofOrigin(Prisma.sql`o.asn = ${asn}`));
  if (ips) conditions.push(Prisma.sql`s.ip COLLATE "C" = ANY(${[...ips]}::text[])`);
  return conditions;
}
