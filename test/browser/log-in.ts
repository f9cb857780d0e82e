import { REFRESH_COOKIE_PATH } from '@verdict/contracts/dashboard/auth-api.js';
import type { BrowserContext, Page } from 'playwright-core';

interface User {
  readonly email: string;
  readonly password: string;
}

/** Fills in and submits the login form that is open. */
export async function fillLogin(page: Page, { email, password }: User): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Logs in through the form. */
export async function logIn(page: Page, origin: string, user: User): Promise<void> {
  await page.goto(`${origin}/login`);
  await fillLogin(page, user);
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

/** Logs in over the API and leaves the session cookie in the browser, which saves loading two pages. */
export async function takeSession(
  context: BrowserContext,
  origin: string,
  { email, password }: User,
): Promise<void> {
  const answer = await context.request.post(`${origin}${REFRESH_COOKIE_PATH}jwt/create/`, {
    data: { email, password, cookie: true },
  });
  if (!answer.ok()) throw new Error(await answer.text());
}
