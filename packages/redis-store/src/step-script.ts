import begin from '../lua/step/begin.lua';
import callers from '../lua/step/callers.lua';
import decide from '../lua/step/decide.lua';
import lists from '../lua/step/lists.lua';
import repetitions from '../lua/step/repetitions.lua';
import write from '../lua/step/write.lua';

/** The script of steps, looks and previews, joined from its subjects. They share one scope, so the order matters. */
export const STEP_SCRIPT = [begin, callers, lists, repetitions, decide, write].join('\n');
