import { type Browser, chromium } from 'playwright-core';

/** Where `npm test` found a chromium; without one there is nothing to launch. */
export const CHROMIUM = process.env.TEST_CHROMIUM_BIN ?? '';

/** What tap shows for what could not run. */
export const NO_BROWSER = CHROMIUM === '' ? 'no chromium on this machine' : false;

/** Quiet and without anything of its own to fetch. As root, which containers are, it does without its sandbox. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
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
