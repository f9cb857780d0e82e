import type { Page } from 'playwright-core';

/** Through the form, as people do. */
export async function logIn(
  page: Page,
  origin: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  await page.goto(`${origin}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}
