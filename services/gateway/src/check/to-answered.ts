import { decide } from '@verdict/admission/decide.js';
import type { Judge } from '@verdict/admission/engine.js';
import type { Judgement, Ruled } from '@verdict/admission/judge.js';
import type { Expansion } from '@verdict/contracts/check-api.js';
import type { Datasets } from '@verdict/contracts/datasets.js';
import type { IpNetwork } from '@verdict/contracts/ip-network.js';
import type { ListMatch, Seen } from '@verdict/contracts/step-note.js';
import type { Verdict } from '@verdict/contracts/verdict.js';
import type { CheckInput } from './check-input.js';

/** A judged check with all that its answer says, the first or a replay. */
export interface AnsweredCheck {
  readonly id: string;
  readonly input: CheckInput;
  readonly verdict: Verdict;
  readonly judgement: Judgement;
  /** The verdict alone decided, so that all checks of the verdict hold this judgement. */
  readonly isByVerdict: boolean;
  readonly datasets: Datasets | undefined;
  readonly seen: Seen | undefined;
  /** Of its IP, where the answer says it. */
  readonly network: IpNetwork | null | undefined;
  readonly nowMicros: number;
  readonly expand: ReadonlySet<Expansion>;
}

interface GrantedCheck
  extends Pick<AnsweredCheck, 'id' | 'input' | 'seen' | 'network' | 'nowMicros' | 'expand'> {
  readonly scored: { readonly verdict: Verdict; readonly datasets: Datasets | undefined };
  readonly match: ListMatch | undefined;
  /** The account's policy, where it has one. */
  readonly ruled: Ruled | null;
  /** The engine that judges it, or judged it first. */
  readonly judge: Judge;
}

export function toAnswered(check: GrantedCheck): AnsweredCheck {
  const { id, input, scored, match, seen, network, ruled, judge, nowMicros, expand } = check;
  const { verdict, datasets } = scored;
  return {
    id,
    input,
    verdict,
    judgement: judge(decide(verdict), match, seen, ruled),
    isByVerdict: match === undefined && seen?.points === undefined && ruled === null,
    datasets,
    seen,
    network,
    nowMicros,
    expand,
  };
}
