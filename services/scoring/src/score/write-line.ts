import type { Datasets } from '@verdict/contracts/datasets.js';
import { createPositions } from '@verdict/domain/positions.js';
import type { AddVerdict } from './score-batch.js';
import { writeVerdict } from './write-verdict.js';

/** Lines of the answer, all of one snapshot. A verdict that several checks of a line share is written once. */
export function createLineWriter(
  version: number,
  datasets: Datasets,
): (fill: (add: AddVerdict) => void) => string {
  const head = `{"v":${version},"datasets":${JSON.stringify(datasets)},"verdicts":[`;
  return (fill) => {
    const shared = createPositions<string>();
    let checks = '';
    fill((index, verdict) => {
      checks += `${checks === '' ? '' : ','}{"i":${index},"verdict":${shared.of(writeVerdict(verdict))}}`;
    });
    return `${head}${shared.keys().join(',')}],"checks":[${checks}]}\n`;
  };
}
