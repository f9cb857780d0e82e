import { canInstall, installDebianPackage } from './debian-package.js';
import { Interrupted } from './interrupt.js';
import { onPath } from './on-path.js';
import type { Progress } from './progress.js';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * The browser of this machine for the tests of the dashboard. On Debian and Ubuntu root gets it from apt; where there is
 * none those tests are skipped, and the run says so.
 */
export async function findChromiumBinary(progress: Progress): Promise<string | null> {
  const file = await progress.step('chromium', async (note) => {
    const found = find() ?? (canInstall() ? await install(note) : null);
    note(found ?? 'none');
    return found;
  });
  if (!file) {
    progress.say(
      '\n  THE BROWSER TESTS ARE SKIPPED: there is no chromium. Try: sudo apt-get install chromium\n',
    );
  }
  return file;
}

const find = (): string | null => NAMES.map(onPath).find((file) => file !== undefined) ?? null;

async function install(note: (detail: string) => void): Promise<string | null> {
  note('installing chromium with apt');
  try {
    await installDebianPackage('chromium', 'apt could not install chromium.');
  } catch (error) {
    if (error instanceof Interrupted) throw error;
  }
  return find();
}
