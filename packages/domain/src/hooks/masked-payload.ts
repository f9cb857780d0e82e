import { storedEmail, storedIp } from '../email-storage.js';
import type { Payload } from './hook-provider.js';

const IP_FIELDS = new Set(['ip', 'ip_address', 'client_ip']);
const DEPTH_MAX = 6;
const ITEMS_MAX = 20;
const TEXT_MAX = 254;
/** Redis keeps the last deliveries of each hook. */
const CHARS_MAX = 2_048;
const HIDDEN = '…';

/**
 * A payload as deliveries show it: addresses and IPs masked as in logs, every other text hidden unless its field is
 * known to be harmless. Providers send names, telephone numbers and whatever an application adds. A large payload is
 * shown without its inner levels.
 */
export function maskedPayload(payload: Payload, shownFields: readonly string[]): Payload {
  for (const depthMax of [DEPTH_MAX, 2, 1]) {
    const masked = maskedDown(payload, shownFields, depthMax);
    if (JSON.stringify(masked).length <= CHARS_MAX) return masked;
  }
  return {};
}

function maskedDown(payload: Payload, shownFields: readonly string[], depthMax: number): Payload {
  const shown = new Set(shownFields);
  const mask = (value: unknown, field: string, depth: number): unknown => {
    if (typeof value === 'string') return maskedText(value, field, shown).slice(0, TEXT_MAX);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === depthMax) return HIDDEN;
    if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((each) => mask(each, field, depth + 1));
    return Object.fromEntries(
      Object.entries(value)
        .slice(0, ITEMS_MAX)
        .map(([name, each]) => [name.slice(0, 64), mask(each, name, depth + 1)]),
    );
  };
  return mask(payload, '', 0) as Payload;
}

function maskedText(text: string, field: string, shown: ReadonlySet<string>): string {
  if (text === '') return '';
  if (IP_FIELDS.has(field)) return storedIp('masked', text) ?? HIDDEN;
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return storedEmail('masked', text) ?? HIDDEN;
  return shown.has(field) ? text.slice(0, 64) : HIDDEN;
}
