import { eventually } from '@verdict/local-stack/eventually.js';
import type { Page } from 'playwright-core';

/** Answers a listing with `count` rows made from its first one. */
export async function fillListing(
  page: Page,
  path: string,
  rows: string,
  count: number,
  vary: (index: number) => Readonly<Record<string, unknown>>,
): Promise<void> {
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      const response = await route.fetch();
      // A token that ran out is renewed by the page, which then asks again.
      if (!response.ok()) return route.fulfill({ response });
      const body = (await response.json()) as Record<string, unknown>;
      const [first] = body[rows] as Record<string, unknown>[];
      const many = Array.from({ length: count }, (_, index) => ({ ...first, ...vary(index) }));
      return route.fulfill({ response, json: { ...body, [rows]: many, next_cursor: null } });
    },
  );
}

/**
 * Opens a URL and measures how many milliseconds after the parsed answer of `count` rows the rows of the table are in the
 * document, and how many until the browser has drawn them.
 */
export async function measureListing(
  page: Page,
  { url, table, rows, count }: { url: string; table: string; rows: string; count: number },
): Promise<{ readonly committed: number; readonly drawn: number }> {
  await page.addInitScript(`{
    const parse = Response.prototype.json;
    Response.prototype.json = async function () {
      const value = await parse.call(this);
      if (value?.[${JSON.stringify(rows)}]?.length === ${count}) performance.mark('parsed');
      return value;
    };
    const watch = new MutationObserver(() => {
      if (!performance.getEntriesByName('parsed').length) return;
      if (document.querySelectorAll(${JSON.stringify(`table[aria-label="${table}"] tbody tr[aria-rowindex]`)}).length < 10) return;
      watch.disconnect();
      performance.measure('committed', 'parsed');
      requestAnimationFrame(() => setTimeout(() => performance.measure('drawn', 'parsed')));
    });
    watch.observe(document, { childList: true, subtree: true });
  }`);
  await page.goto(url);
  // Not waitForFunction: it evaluates in the page, which its content security policy refuses.
  await eventually(() => page.evaluate('performance.getEntriesByName("drawn").length > 0'));
  const took = async (name: string) =>
    Math.round((await page.evaluate(`performance.getEntriesByName("${name}")[0].duration`)) as number);
  return { committed: await took('committed'), drawn: await took('drawn') };
}
