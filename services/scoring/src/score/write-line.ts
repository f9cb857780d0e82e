import type { Datasets } from '@verdict/contracts/datasets.js';
import { ExtraSignalsSchema } from '@verdict/contracts/signals.js';
import { type Verdict, VerdictSchema } from '@verdict/contracts/verdict.js';
import { createPositions } from '@verdict/domain/positions.js';
import fastJson from 'fast-json-stringify';
import { Type } from 'typebox';

type Add = (index: number, verdict: Verdict) => void;

/** Readers may miss a flag, the writer never does. Optional fields would also move to the end. */
const writeVerdict = fastJson(
  Type.Object({ ...VerdictSchema.properties, extra: ExtraSignalsSchema }, { additionalProperties: false }),
);

/** Lines of the answer, all of one snapshot. A verdict that several checks of a line share is written once. */
export function createLineWriter(version: number, datasets: Datasets): (fill: (add: Add) => void) => string {
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
