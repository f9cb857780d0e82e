import type { Precision } from '@verdict/contracts/outcomes-api.js';
import type { LabelCounts } from '@verdict/db/outcomes/outcome-counts.js';
import { LABELS_MIN } from '@verdict/domain/outcomes.js';
import { shareOf } from '@verdict/domain/share-of.js';

/** The share of genuine people among the labelled, with its interval; null while there are too few to say. */
export function toPrecision({ name, genuine, abuse, bounced, complained }: LabelCounts): Precision {
  const labelled = genuine + abuse + bounced + complained;
  const too_few = labelled < LABELS_MIN;
  const { share, low, high } = shareOf(genuine, labelled);
  return {
    name,
    labelled,
    genuine,
    abuse,
    bounced,
    complained,
    share_genuine: too_few ? null : share,
    low: too_few ? null : low,
    high: too_few ? null : high,
    too_few,
  };
}
