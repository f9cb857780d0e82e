import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { inRoot } from '@verdict/local-stack/paths.js';
import type { Page } from 'playwright-core';

const source = readFileSync(
  createRequire(inRoot('test/package.json')).resolve('axe-core/axe.min.js'),
  'utf8',
);

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

interface Scope {
  /** Only the rules about colours. */
  readonly colours?: boolean;
  /** Only the elements of this selector, when another test checks the rest of the page. Axe throws if there are none. */
  readonly within?: string;
}

/** Lists the axe findings of the current page, one line each. */
export async function axeFindings(
  page: Page,
  { colours = false, within = 'html' }: Scope = {},
): Promise<string[]> {
  // Loads axe once per document, because it is half a megabyte of script.
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(source);
  const rules = colours ? { runOnly: ['color-contrast', 'link-in-text-block'] } : {};
  const options = JSON.stringify({ resultTypes: ['violations'], ...rules });
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(within)}, ${options})`)) as {
    violations: readonly Finding[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id}: ${target.join(' ')} ${failureSummary}`),
  );
}
