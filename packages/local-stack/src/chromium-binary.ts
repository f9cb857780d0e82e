import { findProgram } from './find-program.js';
import type { Progress } from './progress.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Finds the browser for the dashboard tests. Without one they are skipped, and the run says so. */
export async function findChromiumBinary(progress?: Progress): Promise<string | null> {
  const find = (note?: (detail: string) => void) => findProgram(NAMES, 'chromium', note).catch(() => null);
  const file = await (progress ? progress.step('chromium', find) : find());
  if (!file)
    progress?.say('\n  THE BROWSER TESTS ARE SKIPPED: there is no chromium. Try: apt-get install chromium\n');
  return file;
}
