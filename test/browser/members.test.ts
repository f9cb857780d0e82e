import t from 'tap';
import { axeFindings } from './axe-findings.js';
import { fillLogin } from './log-in.js';
import { heading, openDashboard, visit } from './open-dashboard.js';
import { settled } from './settled.js';

// An owner invites two people: one has no login yet, one has another account. Roles decide what they see.

const { origin, account, newAccount, open, test } = await openDashboard(t);
const PASSWORD = 'vivid-otter-harbour-9';
const PHONE = { width: 390, height: 844 };

test('people are invited, see what their role opens, switch accounts and are removed', async (t) => {
  const page = await open(t);
  const dialog = page.getByRole('dialog');
  const passes = async (what: string, within = 'html') => {
    await settled(page);
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      t.strictSame(await axeFindings(page, { within }), [], `${what} passes axe, ${colorScheme}`);
    }
  };

  /** Invites an address and returns the link, which is shown once. */
  const invite = async (email: string, role: string): Promise<string> => {
    await page.getByRole('button', { name: 'Invite member' }).click();
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('Role').selectOption(role);
    await passes('the invitation', '[role="dialog"]');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    const link = (await page.getByRole('group', { name: 'Link of the invitation' }).textContent()) ?? '';
    await page.getByLabel('I have copied the link').check();
    await page.getByRole('button', { name: 'Done' }).click();
    return link;
  };

  await visit(page, `${origin}/settings/members`, 'Members');
  const clerk = `clerk-${account.accountId.toLowerCase()}@example.com`;
  const clerkLink = await invite(clerk, 'billing');
  t.ok(clerkLink.startsWith(`${origin}/join#token=`));
  await page.getByRole('table', { name: 'Open invitations' }).getByText(clerk).waitFor();
  await passes('the page of members');

  // Without a login: a password joins and logs in. Billing opens no page with addresses.
  const theirs = await open(t, { as: null });
  await theirs.goto(clerkLink);
  await theirs.getByText(`as ${clerk}, with the role billing`).waitFor();
  t.strictSame(await axeFindings(theirs), [], 'joining passes axe');
  await theirs.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await theirs.getByRole('button', { name: 'Join and log in' }).click();
  await heading(theirs, 'Usage').waitFor();
  const links = theirs.getByRole('navigation', { name: 'Main' }).getByRole('link');
  const seen = (await links.allTextContents()).map((text) => text.trim());
  t.ok(seen.includes('Billing'));
  for (const hidden of ['Overview', 'Checks', 'Bulk', 'Rules']) t.notOk(seen.includes(hidden), hidden);
  await theirs.goto(`${origin}/checks`);
  await theirs.getByText('This page is not for your role').waitFor();
  await theirs.goto(clerkLink);
  await theirs.getByText('This link has expired or was already used').waitFor();

  // With a login: log in on the way, accept, and land in the other account.
  const partner = await newAccount();
  await page.reload();
  await heading(page, 'Members').waitFor();
  const partnerLink = await invite(partner.email, 'analyst');
  const guest = await open(t, { as: null, viewport: PHONE });
  await guest.goto(partnerLink);
  await guest.getByRole('link', { name: 'Log in to accept' }).click();
  await fillLogin(guest, partner);
  await guest.getByRole('button', { name: 'Accept invitation' }).click();
  await heading(guest, 'Overview').waitFor();
  await guest.getByRole('button', { name: 'Menu' }).click();
  await guest.getByText(`${account.email} · analyst`).click();
  await guest.getByRole('menuitem', { name: partner.email }).click();
  await guest.waitForURL(`${origin}/`);
  await heading(guest, 'Overview').waitFor();
  await guest.getByRole('button', { name: 'Menu' }).click();
  await guest.getByText(`${partner.email} · owner`).waitFor();

  // A change of role and a removal, with what they mean.
  await page.reload();
  const actions = (email: string) => page.getByRole('button', { name: `Actions for ${email}` });
  await actions(partner.email).click();
  await page.getByRole('menuitem', { name: 'Change role' }).click();
  await dialog.getByLabel('Role').selectOption('admin');
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await page.getByText('Role changed').waitFor();
  await actions(clerk).click();
  await page.getByRole('menuitem', { name: 'Remove member' }).click();
  await dialog.getByText('They lose access immediately').waitFor();
  await passes('the removal', '[role="dialog"]');
  await dialog.getByRole('textbox').fill(clerk);
  await dialog.getByRole('button', { name: 'Remove member' }).click();
  await page.getByText('Member removed').waitFor();
  await theirs.goto(`${origin}/billing`);
  await heading(theirs, 'Log in').waitFor();

  await visit(page, `${origin}/settings/audit?subject=member`, 'Audit');
  await page.getByRole('cell', { name: 'Removed a member' }).waitFor();
  await page.getByRole('cell', { name: partner.email }).first().waitFor();
});
