import type { KeyMode } from '@verdict/domain/key-words.js';
import { timestampText } from '../database/sql-timestamp.js';
import { Prisma } from '../generated/client.js';
import { OUTCOME_OF } from '../outcomes/outcome-of.js';

export const CHECK_TABLES = { live: Prisma.sql`check_logs`, test: Prisma.sql`test_check_logs` };

/** A check `l` as logs show it: the fact, and of its subject `s` what retention and erasure have left of the person. */
export const shownCheck = (
  mode: KeyMode,
) => Prisma.sql`l.id, l.key_id, ${mode} AS mode, s.email, s.ip, l.decision, l.risk_score, l.signals,
  coalesce(s.reasons, '[]'::jsonb) AS reasons,
  CASE WHEN l.policy_version IS NOT NULL THEN jsonb_build_object('version', l.policy_version, 'rule', (
    SELECT p.rules -> l.policy_rule::int ->> 'name' FROM policies p
    WHERE p.account_id = l.account_id AND p.version = l.policy_version)) END AS policy, ${OUTCOME_OF} AS outcome, l.tag, ${timestampText('l.created_at')} AS created_at`;
