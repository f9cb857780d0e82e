import type { BrowserContext, Page } from 'playwright-core';

/** What Chromium counts as a good page; nothing here should come near it. */
export const LAYOUT_SHIFT_MAX = 0.1;

/** Lets every page of a context note what moves without anybody having touched it. */
export const watchShifts = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries())
        if (!hadRecentInput) window.shifts.push({ value, moved: sources.map(({ node }) => node?.parentElement?.className + ' > ' + (node?.className ?? node?.nodeName)).join(', ') });
    }).observe({ type: 'layout-shift', buffered: true });
  `);

/** The sum of all shifts since the page was opened, and what moved. */
export async function shiftsOf(page: Page): Promise<{ readonly sum: number; readonly moved: string }> {
  const shifts = (await page.evaluate('window.shifts')) as { value: number; moved: string }[];
  return {
    sum: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: shifts.map(({ value, moved }) => `${value.toFixed(3)}: ${moved}`).join('; '),
  };
}
