import type { KeyMode } from '@verdict/domain/key-words.js';
import { CommonIp } from '../accounts/own-proxies.js';
import { allOf } from '../database/all-of.js';
import type { Database } from '../database/client.js';
import { columnsOf, int, type RowOf, text } from '../database/columns.js';
import { isBefore, type Position } from '../database/is-before.js';
import { rowsOf } from '../database/rows-of.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { hasNoOutcome, hasOutcome, OUTCOME_OF, WORDS_OF } from '../outcomes/outcome-of.js';
import { ofBeginning } from './of-beginning.js';
import { ofDomains } from './of-domains.js';
import { ofMailHost } from './of-mail-host.js';
import { ofMailbox } from './of-mailbox.js';
import { ofNetwork } from './of-network.js';
import { ofOrigin } from './of-origin.js';
import { SAME_CHECK } from './same-check.js';

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
  /** Checks with one of these outcomes; none of them: checks without an outcome. */
  readonly outcomes?: readonly string[];
  readonly scoreMin?: number;
  readonly scoreMax?: number;
  readonly from?: string;
  readonly to?: string;
}

const LogRow = columnsOf('log');
export type LogRow = RowOf<typeof LogRow>;

const LogDetailRow = columnsOf('logDetail');
export type LogDetailRow = RowOf<typeof LogDetailRow>;

const shown = (
  mode: KeyMode,
) => Prisma.sql`l.id, l.key_id, ${mode} AS mode, s.email, s.ip, l.decision, l.risk_score, l.signals,
  coalesce(s.reasons, '[]'::jsonb) AS reasons,
  CASE WHEN l.policy_version IS NOT NULL THEN jsonb_build_object('version', l.policy_version, 'rule', (
    SELECT p.rules -> l.policy_rule::int ->> 'name' FROM policies p
    WHERE p.account_id = l.account_id AND p.version = l.policy_version)) END AS policy, ${OUTCOME_OF} AS outcome, ${timestampText('l.created_at')} AS created_at`;

/** Operator and hosts as replies show them; see mailText in the domain. */
const SERVERS = Prisma.sql`CASE WHEN s.mx <> '' THEN jsonb_build_object(
  'operator', split_part(s.mx, ' ', 1), 'hosts', to_jsonb((string_to_array(s.mx, ' '))[2:])) END`;

/** A busy account has millions of checks a day, and the Overview must not wait for them. */
const COUNTED_MAX = 10_000;
/** Enough to tell a share, and each costs a look into another table. */
const COMPARED_MAX = 1_000;

export const TABLES = { live: Prisma.sql`check_logs`, test: Prisma.sql`test_check_logs` };

/** One account's checks: the fact, and beside it what retention and erasure have left of the person. */
export function createLogReading(db: Database, accountId: string) {
  return {
    /** Newest first, those before a position. Never an offset: page 10,000 costs what page 1 costs. */
    page(filter: LogFilter, before: Position | null, countMax: number): Promise<LogRow[]> {
      const { mode = 'live' } = filter;
      const facts = allOf(
        Prisma.sql`l.account_id = ${accountId}`,
        ...factConditions(accountId, filter, before),
      );
      const subjects = subjectConditions(accountId, filter);
      const newestFirst = Prisma.sql`ORDER BY l.created_at DESC, l.id DESC`;
      if (subjects.length > 0) {
        return rowsOf(db, LogRow)`
          SELECT ${shown(mode)} FROM ${TABLES[mode]} l JOIN check_subjects s ON ${SAME_CHECK}
          WHERE ${facts} AND s.account_id = ${accountId} AND ${allOf(...subjects)}
          ${newestFirst} LIMIT ${countMax}`;
      }
      // The page is cut before the join: with stale statistics Postgres would otherwise join the whole account first.
      return rowsOf(db, LogRow)`
        SELECT ${shown(mode)}
        FROM (SELECT l.* FROM ${TABLES[mode]} l WHERE ${facts} ${newestFirst} LIMIT ${countMax}) l
        LEFT JOIN check_subjects s ON ${SAME_CHECK}
        ${newestFirst}`;
    },

    /** Checks of the running UTC day by factor, for those of these codes that occurred among the newest. */
    countToday(codes: readonly string[]): Promise<{ code: string; checks: number }[]> {
      return rowsOf(db, { code: text, checks: int })`
        SELECT f ->> 'code' AS code, count(*)::int AS checks
        FROM (
          SELECT factors FROM check_logs
          WHERE account_id = ${accountId} AND created_at >= date_trunc('day', now(), 'UTC')
          ORDER BY created_at DESC, id DESC LIMIT ${COUNTED_MAX}
        ) l, jsonb_array_elements(l.factors) f
        WHERE f ->> 'code' = ANY(${codes})
        GROUP BY 1`;
    },

    /** The IP that most of the newest checks of the running UTC day carry, and among how many. */
    async commonIpToday(): Promise<CommonIp | undefined> {
      const [found] = await rowsOf(db, CommonIp)`
        WITH newest AS (
          SELECT id, account_id, created_at FROM check_logs
          WHERE account_id = ${accountId} AND created_at >= date_trunc('day', now(), 'UTC')
          ORDER BY created_at DESC, id DESC LIMIT ${COMPARED_MAX}
        )
        SELECT s.ip, count(*)::int AS checks, (SELECT count(*) FROM newest)::int AS among
        FROM newest l JOIN check_subjects s ON ${SAME_CHECK}
        WHERE s.ip IS NOT NULL
        GROUP BY s.ip ORDER BY checks DESC LIMIT 1`;
      return found;
    },

    async find(id: string): Promise<LogDetailRow | undefined> {
      const among = (mode: KeyMode) => Prisma.sql`
        SELECT ${shown(mode)}, ${SERVERS} AS mx, l.request_id, l.datasets, l.factors, ${WORDS_OF} AS outcomes
        FROM ${TABLES[mode]} l
        LEFT JOIN check_subjects s ON ${SAME_CHECK}
        WHERE l.account_id = ${accountId} AND l.id = ${id}`;
      const [found] = await rowsOf(db, LogDetailRow)(among('live'));
      return found ?? (await rowsOf(db, LogDetailRow)(among('test')))[0];
    },
  };
}

export const factConditions = (
  accountId: string,
  { decisions, keyId, request, ids, codes, listed, rule, outcomes, scoreMin, scoreMax, from, to }: LogFilter,
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
  outcomes !== undefined && (outcomes.length > 0 ? hasOutcome(accountId, outcomes) : hasNoOutcome(accountId)),
  scoreMin !== undefined && Prisma.sql`l.risk_score >= ${scoreMin}`,
  scoreMax !== undefined && Prisma.sql`l.risk_score <= ${scoreMax}`,
  from !== undefined && Prisma.sql`l.created_at >= ${from}::timestamptz`,
  to !== undefined && Prisma.sql`l.created_at < ${to}::timestamptz`,
];

export function subjectConditions(accountId: string, filter: LogFilter): Prisma.Sql[] {
  const { email, mailbox, domains, beginning, mailHost, network, country, asn, ips } = filter;
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
  if (mailHost !== undefined) conditions.push(ofMailHost(mailHost));
  if (network !== undefined) conditions.push(ofNetwork(network));
  if (country !== undefined) conditions.push(ofOrigin(Prisma.sql`o.country = ${country}`));
  if (asn !== undefined) conditions.push(ofOrigin(Prisma.sql`o.asn = ${asn}`));
  if (ips) conditions.push(Prisma.sql`s.ip COLLATE "C" = ANY(${[...ips]}::text[])`);
  return conditions;
}
