import { widthOfMailServer } from '@verdict/datasets/width-of-mail-server.js';
import type { ListValue } from '@verdict/domain/list-value.js';

const REASONS = {
  shared: 'is a mail server that many unrelated domains share; set force to list it anyway',
  suffix: 'is an ending under which anybody registers names; set force to list it anyway',
} as const;

/** Why an entry for a mail server needs `force`; null where it does not. One such entry can block a whole provider. */
export function tooWide({ match, value }: Pick<ListValue, 'match' | 'value'>): string | null {
  const width = match === 'mx' ? widthOfMailServer(value) : undefined;
  return width === undefined ? null : REASONS[width];
}
