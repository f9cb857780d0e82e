import type { Rule } from '@verdict/domain/policy/policy.js';
import type { Database } from '../database/client.js';
import { document, list } from '../database/columns.js';
import { rowsOf } from '../database/rows-of.js';

/** The rules of one version of an account's policy; null when it has no such version. */
export async function readPolicyRules(
  db: Database,
  accountId: string,
  version: number,
): Promise<readonly Rule[] | null> {
  const [row] = await rowsOf(db, { rules: list(document<Rule>()) })`
    SELECT rules FROM policies WHERE account_id = ${accountId} AND version = ${version}`;
  return row?.rules ?? null;
}
