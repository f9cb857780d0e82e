import type { GroupKind } from '@verdict/domain/check-groups.js';
import { MAILBOX } from './logs-filter.ts';
import type { LogsSearch } from './logs-search.ts';

/** The filter that shows the checks of a group; a mailbox is named by one of its checks. */
export const searchOfGroup = (kind: GroupKind, value: string): LogsSearch => SEARCHES[kind](value);

const SEARCHES: Readonly<Record<GroupKind, (value: string) => LogsSearch>> = {
  domain: (value) => ({ q: `@${value}` }),
  shape: (value) => ({ shape: value }),
  mail_host: (value) => ({ mail: value }),
  network: (value) => ({ q: value }),
  as: (value) => ({ q: value }),
  mailbox: (value) => ({ q: MAILBOX + value }),
  reason: (value) => ({ reason: value }),
  rule: (value) => ({ rule: value }),
};
