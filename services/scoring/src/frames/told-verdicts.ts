import type { Datasets } from '@verdict/contracts/datasets.js';
import { VERDICTS_TOLD_MAX } from '@verdict/contracts/scoring-frames.js';
import type { CompleteVerdict } from '../score/complete-verdict.js';
import type { AddVerdict } from '../score/score-batch.js';
import { writeVerdict } from '../score/write-verdict.js';

/**
 * Writes the answers of one connection. Each verdict is written once and then named by its number, until the
 * connection ends.
 */
export function createToldVerdicts(toldMax: number = VERDICTS_TOLD_MAX) {
  const numbers = new Map<CompleteVerdict, number>();
  let toldDatasets: Datasets | undefined;
  let isTorn = false;

  /** `size` is the most that `fill` may add: a verdict that this answer names must not be forgotten by it. */
  return (datasets: Datasets, size: number, fill: (add: AddVerdict) => void): string => {
    let head = '';
    // An answer whose `fill` threw was never sent, so the other end does not have its verdicts.
    if (isTorn || numbers.size + size > toldMax) {
      numbers.clear();
      toldDatasets = undefined;
      head = '"reset":true,';
    }
    isTorn = true;
    if (datasets !== toldDatasets) {
      toldDatasets = datasets;
      head += `"datasets":${JSON.stringify(datasets)},`;
    }
    let verdicts = '';
    let checks = '';
    fill((index, verdict) => {
      let number = numbers.get(verdict);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(verdict, number);
        verdicts += verdicts === '' ? writeVerdict(verdict) : `,${writeVerdict(verdict)}`;
      }
      checks += checks === '' ? `${index},${number}` : `,${index},${number}`;
    });
    isTorn = false;
    return `{${head}${verdicts === '' ? '' : `"verdicts":[${verdicts}],`}"checks":[${checks}]}`;
  };
}
