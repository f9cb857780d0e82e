import type { LogsFilter } from '@verdict/contracts/dashboard/logs-api.js';
import type { LogFilter } from '@verdict/db/checks/log-reading.js';
import { timeOfId } from '@verdict/domain/id.js';
import { momentFrom, momentTo } from '../http/read-moment.js';
import { domainSpellings, emailSpellings, ipSpellings } from './spellings.js';

/** The filters of a query, in the spelling that is stored. One that can match nothing by its form is a 400. */
export function toLogFilter(query: LogsFilter): LogFilter {
  return {
    ...(query.mode !== undefined && { mode: query.mode }),
    ...(query.decision !== undefined && { decisions: query.decision.split(',') }),
    ...(query.key_id !== undefined && { keyId: query.key_id }),
    ...(query.email !== undefined && { email: emailSpellings('email', query.email) }),
    ...(query.domain !== undefined && { domains: domainSpellings('domain', query.domain) }),
    ...(query.ip !== undefined && { ips: ipSpellings('ip', query.ip) }),
    ...(query.request_id !== undefined && { request: requestWindow(query.request_id) }),
    ...(query.score_min !== undefined && { scoreMin: query.score_min }),
    ...(query.score_max !== undefined && { scoreMax: query.score_max }),
    ...(query.from !== undefined && { from: momentFrom('from', query.from) }),
    ...(query.to !== undefined && { to: momentTo('to', query.to) }),
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
