import { randomBytes } from 'node:crypto';
import t from 'tap';
import { CLIENT, startIdentityProvider } from '../harness/start-identity-provider.js';
import { axeFindings } from './axe-findings.js';
import { heading, openDashboard, visit } from './open-dashboard.js';
import { settled } from './settled.js';

// An owner sets up a provider; a new person and one with a password log in there.

const { origin, account, newAccount, open, test } = await openDashboard(t);
const idp = await startIdentityProvider(`${origin}/sso`);
t.teardown(() => idp.stop());
const PHONE = { width: 390, height: 844 };

test('an owner sets up single sign-on, and people log in with it', async (t) => {
  const page = await open(t);
  const passes = async (on: typeof page, what: string, within = 'html') => {
    await settled(on);
    for (const colorScheme of ['dark', 'light'] as const) {
      await on.emulateMedia({ colorScheme });
      t.strictSame(await axeFindings(on, { within }), [], `${what} passes axe, ${colorScheme}`);
    }
  };
  const domain = `${randomBytes(4).toString('hex')}.example`;
  await visit(page, `${origin}/settings/members`, 'Members');
  const card = page.getByRole('region', { name: 'Single sign-on' });
  await card.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Issuer').fill('https://10.0.0.1');
  await dialog.getByLabel('Client ID').fill(CLIENT.id);
  await dialog.getByLabel('Client secret').fill(CLIENT.secret);
  await dialog.getByLabel('Domains').fill(domain);
  await passes(page, 'the dialog', '[role="dialog"]');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Issuer must be an https address that this server can reach').waitFor();
  await dialog.getByLabel('Issuer').fill(idp.issuer);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card.getByText('Pending').waitFor();
  await passes(page, 'the page of members');
  await card.getByRole('button', { name: 'Check TXT records' }).click();
  await page.getByText('A TXT record was not found').waitFor();
  await account.sql('UPDATE sso_domains SET proven_at = now() WHERE domain = $1', [domain]);

  const email = `ada@${domain}`;
  idp.people.set(email, { sub: 'ada', email, email_verified: true, name: 'Ada' });
  const theirs = await open(t, { as: null, viewport: PHONE, elsewhere: [idp.issuer] });
  await theirs.goto(`${origin}/login`);
  await theirs.getByRole('link', { name: 'Log in with single sign-on' }).click();
  await passes(theirs, 'the login');
  await theirs.getByLabel('Email').fill('nobody@elsewhere.example');
  await theirs.getByRole('button', { name: 'Continue' }).click();
  await theirs.getByText('has no single sign-on. Log in with your password').waitFor();
  await theirs.getByLabel('Email').fill(email);
  await theirs.getByRole('button', { name: 'Continue' }).click();
  await heading(theirs, 'Overview').waitFor();
  await theirs.getByRole('button', { name: 'Menu' }).click();
  await theirs.getByText(`${account.email} · analyst`).waitFor();

  const other = await newAccount();
  const known = `grace@${domain}`;
  await account.sql('UPDATE users SET email = $1 WHERE email = $2', [known, other.email]);
  idp.people.set(known, { sub: 'grace', email: known, email_verified: true });
  const desk = await open(t, { as: null, elsewhere: [idp.issuer] });
  await desk.goto(`${origin}/sso`);
  await desk.getByLabel('Email').fill(known);
  await desk.getByRole('button', { name: 'Continue' }).click();
  await desk.getByText(`${known} has a login with a password`).waitFor();
  await passes(desk, 'connecting a login');
  await desk.getByLabel('Password', { exact: true }).fill(other.password);
  await desk.getByRole('button', { name: 'Connect and log in' }).click();
  await heading(desk, 'Overview').waitFor();
  // An answer that was used is over, also after a reload.
  await desk.goto(`${origin}/sso?code=used&state=used`);
  await desk.getByText('failed or took too long').waitFor();

  await page.reload();
  await card.getByText('Verified').waitFor();
  await card.getByRole('button', { name: 'Remove single sign-on' }).click();
  await passes(page, 'the removal', '[role="dialog"]');
  await dialog.getByRole('button', { name: 'Remove single sign-on' }).click();
  await page.getByText('Single sign-on removed').waitFor();
  await theirs.goto(`${origin}/settings/account`);
  await heading(theirs, 'Log in').waitFor();
});

test('operators log in beside it where the server has a provider of its own', async (t) => {
  const page = await open(t, { as: null, viewport: PHONE });
  const button = page.getByRole('button', { name: 'Log in as an operator' });
  await page.goto(`${origin}/sso`);
  await page.getByLabel('Email').waitFor();
  t.equal(await button.count(), 0);
  await page.route('**/api/v1/auth/settings/', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), operator_sso: true } });
  });
  await page.reload();
  await button.waitFor();
  t.strictSame(await axeFindings(page), []);
  await button.click();
  await page.getByText('no single sign-on for operators').waitFor();
});
