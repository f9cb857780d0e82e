import { burstRules } from '@verdict/domain/burst-rules.js';
import { BANDS } from '@verdict/domain/decision.js';
import begin from '../lua/step/begin.lua';
import callers from '../lua/step/callers.lua';
import decide from '../lua/step/decide.lua';
import lists from '../lua/step/lists.lua';
import repetitions from '../lua/step/repetitions.lua';
import write from '../lua/step/write.lua';

/**
 * The rules of repetitions, per kind [hours, from, points, only beside a doubt], and the decisions with the least score of
 * each. Text, because the script reads it only for what was seen before.
 */
const TERMS = JSON.stringify({
  rules: burstRules.map(({ hours, from, points, besideDoubt }) => [hours, from, points, besideDoubt]),
  bands: BANDS,
});

/** The script of steps, looks and previews, joined from its subjects. They share one scope, so the order matters. */
export const STEP_SCRIPT = [
  `local TERMS = '${TERMS}'`,
  begin,
  callers,
  lists,
  repetitions,
  decide,
  write,
].join('\n');
