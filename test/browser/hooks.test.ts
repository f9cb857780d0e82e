import t from 'tap';
import { axeFindings } from './axe-findings.js';
import { heading, openDashboard } from './open-dashboard.js';
import { settled } from './settled.js';

// A user creates a sign-up hook, tests it as the provider would call it, edits it and deletes it.

const { origin, open, test } = await openDashboard(t);
const page = await open(t);
const panel = page.getByRole('dialog');
const within = '[role="dialog"]';
const act = async (name: string) => {
  await page.getByRole('button', { name: 'Actions for the Supabase hook' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
};

test('a hook is created, tested, read, edited and deleted', async (t) => {
  await page.goto(`${origin}/developers/hooks`);
  await heading(page, 'Hooks').waitFor();
  await page.getByText('No hooks yet').waitFor();
  await page.getByRole('button', { name: 'Create hook' }).first().click();
  await panel.getByLabel('Provider').selectOption('clerk');
  await panel.getByText('Clerk calls after the sign-up, so Verdict can only report.').waitFor();
  await panel.getByLabel('Provider').selectOption('supabase');
  await panel.getByLabel('Message').fill('Please use another address.');
  t.strictSame(await axeFindings(page, { within }), [], 'the form passes axe');
  await panel.getByRole('button', { name: 'Create hook' }).click();
  const shown = async (name: string) => (await page.getByRole('group', { name }).textContent()) ?? '';
  t.match(await shown('Secret of the hook'), /^v1,whsec_/);
  t.match(await shown('URL of the hook'), new RegExp(`^${origin}/api/v1/hooks/hok_[0-9A-Z]{26}/$`));
  t.strictSame(await axeFindings(page, { within }), [], 'URL and secret pass axe');
  await page.getByLabel('I have stored the secret').check();
  await page.getByRole('button', { name: 'Done' }).click();

  await page.getByRole('table', { name: 'Hooks' }).getByRole('link', { name: 'Supabase' }).click();
  await panel.getByText('No requests yet').waitFor();
  await panel.getByRole('button', { name: 'Send a test' }).click();
  await panel.getByText('The hook answered 200').waitFor();
  const answer = await panel.getByRole('group', { name: 'Answer of the hook' }).textContent();
  t.match(answer, /"http_code": 403,\s*"message": "Please use another address."/);
  const request = panel.getByRole('listitem').first();
  await request.getByText('refused').click();
  await request.getByText('"email": "s***@mailinator.com"').waitFor();
  await request.getByRole('link', { name: 'Open the log' }).waitFor();
  t.match(page.url(), /\/hooks\/hok_/, 'a hook has its own address');
  await settled(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    t.strictSame(await axeFindings(page, { within }), [], `a hook passes axe, ${colorScheme}`);
  }
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'hidden' });

  await act('Edit');
  await panel.getByLabel('If Verdict has no verdict').selectOption('refuse');
  await panel.getByLabel('review').check();
  await panel.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Hook saved').waitFor();
  await page.getByRole('cell', { name: 'review, block' }).waitFor();

  await act('Delete hook');
  await panel.getByRole('textbox').fill('Supabase');
  await panel.getByRole('button', { name: 'Delete hook' }).click();
  await page.getByText('No hooks yet').waitFor();
});
