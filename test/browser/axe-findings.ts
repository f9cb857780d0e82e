import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** What axe finds serious or critical in the page as it stands, one line each; only what colours decide if asked so. */
export async function axeFindings(page: Page, { colours = false } = {}): Promise<string[]> {
  await page.evaluate(source);
  const rules = colours ? ', runOnly: ["color-contrast", "link-in-text-block"]' : '';
  const { violations } = (await page.evaluate(
    `axe.run(document, { resultTypes: ["violations"]${rules} })`,
  )) as {
    violations: readonly Finding[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`),
    );
}
