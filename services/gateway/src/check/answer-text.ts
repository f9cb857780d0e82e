import type { Judgement } from '@verdict/admission/judge.js';
import { contractFlags } from '@verdict/contracts/signal-flags.js';
import type { Signals } from '@verdict/contracts/signals.js';
import { formatCreatedAt } from '@verdict/domain/created-at.js';
import { oncePerObject } from '@verdict/domain/once-per-object.js';
import type { AnsweredCheck } from './to-answered.js';

/** The answer without expansions as the JSON of its schema. The text of a verdict is made once for all of its checks. */
export function answerText({ id, input, judgement, isByVerdict, nowMicros }: AnsweredCheck): string {
  const judged = isByVerdict ? verdictText(judgement) : judgementText(judgement);
  const ip = input.ip === null ? 'null' : `"${input.ip}"`;
  return `{"success":true,"id":"${id}","email":${JSON.stringify(input.address.text)},"ip":${ip},${judged},"created_at":"${formatCreatedAt(nowMicros)}"}`;
}

const verdictText = oncePerObject(judgementText);

function judgementText({ decision, risk_score, signals, reasons }: Judgement): string {
  return `"decision":"${decision}","risk_score":${risk_score},"signals":${flagsText(signals)},"reasons":${JSON.stringify(reasons)}`;
}

const FLAGS = Object.keys(contractFlags) as (keyof Signals)[];

/** In the order of the schema, whatever order scoring wrote. */
const flagsText = (signals: Signals): string =>
  `{${FLAGS.map((flag) => `"${flag}":${signals[flag]}`).join(',')}}`;
