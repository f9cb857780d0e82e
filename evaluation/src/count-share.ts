import { type Share, shareOf } from '@verdict/domain/share-of.js';

export function countShare<T>(items: readonly T[], counts: (item: T) => boolean): Share {
  return shareOf(items.filter(counts).length, items.length);
}
