import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';

/** The outcome of a check `l` with the subject `s`: its own, or else that of its address. */
export const OUTCOME_OF = Prisma.sql`coalesce(
  (SELECT o.outcome FROM outcomes o WHERE o.account_id = l.account_id AND o.subject = l.id),
  (SELECT o.outcome FROM outcomes o WHERE o.account_id = l.account_id AND o.subject = s.email_hash))`;

/** The word that counts, as an element of a history. */
export const LAST_WORD = Prisma.sql`jsonb_build_object(
  'outcome', o.outcome, 'note', o.note, 'at', ${timestampText('o.said_at')}, 'by', o.said_by)`;

/** Everything said of a check `l` and of its address, newest first. */
export const WORDS_OF = Prisma.sql`coalesce((
  SELECT jsonb_agg(w.word || jsonb_build_object('about', CASE WHEN o.subject = l.id THEN 'check' ELSE 'address' END)
    ORDER BY w.word ->> 'at' DESC)
  FROM outcomes o, jsonb_array_elements(${LAST_WORD} || o.history) w(word)
  WHERE o.account_id = l.account_id AND o.subject IN (l.id, s.email_hash)), '[]')`;

/** Checks `l` with one of these outcomes. Asks the outcomes first, because an account has fewer of them than checks. */
export const hasOutcome = (accountId: string, outcomes: readonly string[]): Prisma.Sql => Prisma.sql`l.id IN (
  SELECT o.subject FROM outcomes o WHERE o.account_id = ${accountId} AND o.outcome = ANY(${[...outcomes]}::text[])
  UNION ALL
  SELECT c.id FROM outcomes o JOIN check_subjects c ON c.account_id = o.account_id AND c.email_hash = o.subject
  WHERE o.account_id = ${accountId} AND o.outcome = ANY(${[...outcomes]}::text[]) AND NOT EXISTS (
    SELECT FROM outcomes own WHERE own.account_id = c.account_id AND own.subject = c.id))`;

/** Checks `l` without an outcome. */
export const hasNoOutcome = (accountId: string): Prisma.Sql => Prisma.sql`NOT EXISTS (
    SELECT FROM outcomes o WHERE o.account_id = ${accountId} AND o.subject = l.id)
  AND NOT EXISTS (
    SELECT FROM check_subjects c JOIN outcomes o ON o.account_id = c.account_id AND o.subject = c.email_hash
    WHERE c.id = l.id AND c.created_at = l.created_at AND c.account_id = ${accountId})`;
