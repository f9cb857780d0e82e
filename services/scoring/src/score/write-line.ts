import type { Datasets } from '@verdict/contracts/datasets.js';
import type { Verdict } from './verdict.js';
import { writeVerdict } from './write-verdict.js';

type Add = (index: number, verdict: Verdict) => void;

/** Lines of the answer, all of one snapshot. A verdict that several checks of a line share is written once. */
export function createLineWriter(version: number, datasets: Datasets): (fill: (add: Add) => void) => string {
  const versions = `${datasets.disposable_domains.version}/${datasets.free_providers.version}/${datasets.role_prefixes.version}`;
  const head = `{"v":${version},"datasets":${JSON.stringify(datasets)},"verdicts":[`;
  return (fill) => {
    const positions = new Map<string, number>();
    let verdicts = '';
    let checks = '';
    fill((index, verdict) => {
      const text = writeVerdict(verdict, versions);
      let position = positions.get(text);
      if (position === undefined) {
        position = positions.size;
        positions.set(text, position);
        verdicts += position === 0 ? text : `,${text}`;
      }
      checks += `${checks === '' ? '' : ','}{"i":${index},"verdict":${position}}`;
    });
    return `${head}${verdicts}],"checks":[${checks}]}\n`;
  };
}
