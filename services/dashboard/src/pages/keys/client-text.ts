import type { ApiKey } from '../../api/keys.ts';
import { formatDay } from '../../ui/format/format.ts';
import { CLIENT_TEXTS as TEXTS } from './texts.ts';

/** The client that used a key last and the IPs that were dropped, in a few words; '' for neither. */
export const clientText = ({ client, dropped_ips: dropped, dropped_ips_at: at }: ApiKey): string =>
  [client?.replace('/', ' '), at !== null && TEXTS.dropped(dropped, formatDay(at))]
    .filter(Boolean)
    .join(' · ');
