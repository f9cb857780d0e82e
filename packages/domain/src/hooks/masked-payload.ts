import { storedEmail, storedIp } from '../email-storage.js';
import type { Payload } from './hook-provider.js';

const IP_FIELDS = new Set(['ip', 'ip_address', 'client_ip']);
const DEPTH_MAX = 6;
const ITEMS_MAX = 20;
const HIDDEN = '…';

/**
 * A payload as deliveries show it: addresses and IPs masked as in logs, every other text hidden unless its field is
 * known to be harmless. Providers send names, telephone numbers and whatever an application adds.
 */
export const maskedPayload = (payload: Payload, shownFields: readonly string[]): Payload => {
  const shown = new Set(shownFields);
  const mask = (value: unknown, field: string, depth: number): unknown => {
    if (typeof value === 'string') return maskedText(value, field, shown);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === DEPTH_MAX) return HIDDEN;
    if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((each) => mask(each, field, depth + 1));
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, ITEMS_MAX)
        .map(([name, each]) => [name.slice(0, 64), mask(each, name, depth + 1)]),
    );
  };
  return mask(payload, '', 0) as Payload;
};

function maskedText(text: string, field: string, shown: ReadonlySet<string>): string {
  if (text === '') return '';
  if (IP_FIELDS.has(field)) return storedIp('masked', text) ?? HIDDEN;
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return storedEmail('masked', text) ?? HIDDEN;
  return shown.has(field) ? text.slice(0, 64) : HIDDEN;
}
