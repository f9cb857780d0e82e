import type { Datasets } from '@verdict/contracts/datasets.js';
import { ExtraSignalsSchema } from '@verdict/contracts/signals.js';
import { type Verdict, VerdictSchema } from '@verdict/contracts/verdict.js';
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
    const positions = new Map<string, number>();
    let checks = '';
    fill((index, verdict) => {
      const text = writeVerdict(verdict);
      const position = positions.get(text) ?? positions.size;
      positions.set(text, position);
      checks += `${checks === '' ? '' : ','}{"i":${index},"verdict":${position}}`;
    });
    return `${head}${[...positions.keys()].join(',')}],"checks":[${checks}]}\n`;
  };
}
