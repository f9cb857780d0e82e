import { CHECK_ADDRESS, SECTIONS } from '@verdict/contracts/pages.js';
import type { Page } from 'playwright-core';

/** Follows the entry of the navigation, and the tab if it is not the first, to the page of this name. */
export async function goTo(page: Page, name: string): Promise<void> {
  if (name === CHECK_ADDRESS.label) {
    await goTo(page, 'Checks');
    return page.getByRole('main').getByRole('link', { name, exact: true }).first().click();
  }
  const section = SECTIONS.find(({ tabs }) => tabs.some(({ label }) => label === name));
  if (!section) throw new Error(`No entry of the navigation leads to ${name}`);
  const follow = (navigation: string, link: string) =>
    page
      .getByRole('navigation', { name: navigation, exact: true })
      .getByRole('link', { name: link, exact: true })
      .click();
  await follow('Main', section.label);
  if (section.tabs[0].label !== name) await follow(section.label, name);
}
