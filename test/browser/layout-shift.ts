import type { BrowserContext, Page } from 'playwright-core';
import type { Test } from 'tap';

/** Chromium's bound for a good page; nothing here should come near it. */
const LAYOUT_SHIFT_MAX = 0.1;

/** Lets every page of a context note what moves without anybody having touched it. */
export const watchShifts = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`
    window.shifts = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries())
        if (!hadRecentInput) window.shifts.push({ value, moved: sources.map(({ node }) => node?.parentElement?.className + ' > ' + (node?.className ?? node?.nodeName)).join(', ') });
    }).observe({ type: 'layout-shift', buffered: true });
  `);

/** Fails if the page shifted its layout while it loaded. */
export async function keptStill(t: Test, page: Page, name: string): Promise<void> {
  const shifts = (await page.evaluate('window.shifts')) as { value: number; moved: string }[];
  const sum = shifts.reduce((sum, { value }) => sum + value, 0);
  t.comment(`${name}: layout shift ${sum.toFixed(4)}`);
  t.ok(sum < LAYOUT_SHIFT_MAX, `${name} keeps still`, { shifts });
}
