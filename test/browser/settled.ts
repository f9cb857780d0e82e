import { eventually } from '@verdict/local-stack/eventually.js';
import type { Page } from 'playwright-core';

/** Waits until no part of the page shows a loading state. */
export const settled = async (page: Page): Promise<void> => {
  await eventually(async () => (await page.locator('[role="status"][aria-label^="Loading"]').count()) === 0);
};
