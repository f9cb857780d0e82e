import { type Browser, chromium } from 'playwright-core';
import { findProgram } from '../../scripts/lib/system-programs.mjs';

const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];
const executablePath = (await findProgram(NAMES, 'chromium-headless-shell').catch(() => null)) ?? '';

/** Why the browser tests are skipped, or false. */
export const NO_BROWSER = executablePath === '' ? 'no chromium on this machine' : false;

/** Quiet and without downloads. As root, as in containers, it runs without its sandbox. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    timeout: 240_000, // a busy machine
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
