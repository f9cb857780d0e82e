import type { LogsFilter } from '@verdict/contracts/dashboard/logs-api.js';
import { idPattern } from '@verdict/contracts/id-pattern.js';
import type { LogFilter } from '@verdict/db/checks/log-search.js';
import { LIST_CODES } from '@verdict/domain/account-list.js';
import { domainShape } from '@verdict/domain/address/domain-shape.js';
import { parseIpNetwork } from '@verdict/domain/address/ip-network.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { parseEmail } from '@verdict/domain/address/parse-email.js';
import { hashEmail } from '@verdict/domain/email-hash.js';
import { timeOfId } from '@verdict/domain/id.js';
import { invalidField } from '@verdict/service-kit/errors.js';
import { momentFrom, momentTo } from '../http/read-moment.js';
import { domainSpellings, emailSpellings, ipSpellings } from './spellings.js';

/** The filters of a query, in the spelling that is stored. One that can match nothing by its form is a 400. */
export function toLogFilter(query: LogsFilter, hashSecret: string): LogFilter {
  return {
    ...(query.mode !== undefined && { mode: query.mode }),
    ...(query.decision !== undefined && { decisions: query.decision.split(',') }),
    ...(query.key_id !== undefined && { keyId: query.key_id }),
    ...(query.email !== undefined && { email: emailSpellings('email', query.email) }),
    ...(query.mailbox !== undefined && { mailbox: mailboxSought(query.mailbox, hashSecret) }),
    ...(query.domain !== undefined && { domains: domainSpellings('domain', query.domain) }),
    ...(query.begins !== undefined && { beginning: query.begins.trim().toLowerCase() }),
    ...(query.shape !== undefined && { shape: domainShape(query.shape.toLowerCase()) }),
    ...(query.mail_host !== undefined && { mailHost: query.mail_host.toLowerCase() }),
    ...(query.network !== undefined && { network: networkSought(query.network) }),
    ...(query.country !== undefined && { country: query.country }),
    ...(query.asn !== undefined && { asn: Number(query.asn.replace(/^AS/i, '')) }),
    ...codesSought(query),
    ...(query.ip !== undefined && { ips: ipSpellings('ip', query.ip) }),
    ...(query.request_id !== undefined && { request: requestWindow(query.request_id) }),
    ...(query.ids !== undefined && { ids: query.ids.split(',') }),
    ...(query.rule !== undefined && { rule: query.rule }),
    ...(query.tag !== undefined && { tag: query.tag }),
    ...(query.outcome !== undefined && {
      outcomes: query.outcome === 'none' ? [] : query.outcome.split(','),
    }),
    ...(query.revised !== undefined && { revised: true as const }),
    ...(query.score_min !== undefined && { scoreMin: query.score_min }),
    ...(query.score_max !== undefined && { scoreMax: query.score_max }),
    ...(query.from !== undefined && { from: momentFrom('from', query.from) }),
    ...(query.to !== undefined && { to: momentTo('to', query.to) }),
  };
}

const LOG_ID = new RegExp(`^${idPattern('log')}$`);

/** A mailbox is named by one of its spellings, or by a check where the address is not stored. */
function mailboxSought(text: string, hashSecret: string): NonNullable<LogFilter['mailbox']> {
  if (LOG_ID.test(text)) return { logId: text };
  const parsed = parseEmail(text);
  if (!parsed.ok) throw invalidField('mailbox', parsed.message);
  return { hash: hashEmail(hashSecret, mailboxOf(parsed.address, true)) };
}

function networkSought(text: string): string {
  const parsed = parseIpNetwork(text);
  if (!parsed.ok) throw invalidField('network', parsed.message);
  return parsed.network.text;
}

/** A list that decided is a factor too, beside which a check has no other that counts. */
function codesSought({ reason, list }: LogsFilter): Pick<LogFilter, 'codes' | 'listed'> {
  return {
    ...(reason !== undefined && { codes: reason.split(',') }),
    ...(list !== undefined && { listed: LIST_CODES[list] }),
  };
}

const MINUTE_MS = 60_000;
const LAST_MOMENT = Date.UTC(9999, 11, 31);

/** A request id tells when the request came; its checks were created within minutes of it, so the time index finds them. */
function requestWindow(id: string): NonNullable<LogFilter['request']> {
  const at = Math.min(timeOfId(id), LAST_MOMENT);
  const around = (minutes: number) => new Date(Math.max(0, at + minutes * MINUTE_MS)).toISOString();
  return { id, from: around(-10), to: around(10) };
}
