import { canInstall, installDebianPackage } from './debian-package.mjs';
import { Interrupted } from './interrupt.mjs';
import { onPath } from './on-path.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * The browser of this machine for the tests of the dashboard. On Debian and Ubuntu root gets it from apt; where there is
 * none those tests are skipped, and the run says so.
 * @param {(detail: string) => void} note
 * @returns {Promise<string | null>}
 */
export async function findChromiumBinary(note) {
  const found = find();
  if (found || !canInstall()) return found;
  note('installing chromium with apt');
  try {
    await installDebianPackage('chromium', 'apt could not install chromium.');
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    note('apt could not install chromium');
  }
  return find();
}

const find = () => NAMES.map(onPath).find((file) => file !== undefined) ?? null;
