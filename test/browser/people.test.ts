import { randomBytes } from 'node:crypto';
import { skipFile } from '@verdict/local-stack/skip-file.js';
import { startSmtpServer } from '@verdict/local-stack/start-smtp-server.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { Secret, TOTP } from 'otpauth';
import t from 'tap';
import { axeFindings } from './axe-findings.js';
import { goTo } from './go-to.js';
import { launchBrowser, NO_BROWSER } from './launch-browser.js';
import { logIn } from './log-in.js';
import { makeOperator } from './make-operator.js';
import { watchPages } from './watch-page.js';

if (NO_BROWSER) skipFile(NO_BROWSER);

const PATIENCE_MS = 60_000;
const PASSWORD = 'vivid-otter-harbour-9';
const NEXT_PASSWORD = 'harbour-lantern-77';
/** Operators see the domain of an address but not its local part, so the domain identifies the account. */
const DOMAIN = `${randomBytes(6).toString('hex')}.example`;
const EMAIL = `ada@${DOMAIN}`;

const smtp = await startSmtpServer();
t.teardown(() => smtp.stop());
const stack = await startStack({
  env: {
    all: {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Verdict <verdict@mail.example>',
      PUBLIC_URL: 'http://verdict.invalid',
    },
    gateway: { REQUESTS_PER_MINUTE: 1_000_000 },
    'control-plane': {
      REGISTRATIONS_PER_HOUR: 1_000_000,
      PLAN_CHANGES: 'operator',
    },
  },
});
t.teardown(() => stack.stop());
const browser = await launchBrowser();
t.teardown(() => browser.close());
const origin = stack.gateways[0]?.url ?? '';
const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
context.setDefaultTimeout(PATIENCE_MS);
const watch = watchPages(context, origin);
const page = await context.newPage();

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
/** The link of a mail, on the server of this test. */
const linkIn = (text: string): string =>
  (/http:\/\/verdict\.invalid(\S+)/.exec(text)?.[1] ?? '').replace(/^/, origin);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const password = () => page.getByLabel('Password', { exact: true });

let app: TOTP;
let recovery = '';

t.test('somebody registers, opens the link and is in', async (t) => {
  await page.goto(`${origin}/register`);
  await page.getByLabel('Email').fill(EMAIL);
  await password().fill(PASSWORD);
  await button('Register').click();
  await page.getByText('Check your inbox.').waitFor();
  await page.goto(linkIn((await smtp.mailTo(EMAIL, /Confirm/)).text));
  await heading('Confirm your address').waitFor();
  t.strictSame(await axeFindings(page), []);
  await password().fill(PASSWORD);
  await button('Confirm and log in').click();
  await heading('Overview').waitFor();
});

t.test('a plan is asked for, granted by an operator, and both can read it in the audit log', async (t) => {
  await page.goto(`${origin}/billing`);
  await button('Request: growth').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send request' }).click();
  await page.getByText('You requested the growth plan. An operator will decide.').waitFor();

  const other = await browser.newContext();
  other.setDefaultTimeout(PATIENCE_MS);
  const office = await other.newPage();
  await logIn(office, origin, stack);
  await makeOperator(stack, stack.email);
  await office.goto(`${origin}/operator/plan-requests`);
  const request = office.getByRole('row', { name: DOMAIN });
  await request.getByText('free → growth').waitFor();
  t.notMatch(await office.getByRole('main').textContent(), EMAIL, 'nobody’s address is shown');
  await request.getByRole('button', { name: 'Grant', exact: true }).click();
  t.strictSame(await axeFindings(office, { within: '[role="dialog"]' }), []);
  await office.getByRole('button', { name: 'Grant plan' }).click();
  await request.waitFor({ state: 'hidden' });
  await goTo(office, 'Audit');
  await office.getByRole('cell', { name: 'Granted a plan request' }).waitFor();
  await other.close();

  await page.reload();
  await page.getByRole('row', { name: /growth.*your plan/ }).waitFor();
  await goTo(page, 'Audit');
  const granted = page.getByRole('row', { name: /Granted the plan/ });
  await granted.getByRole('cell', { name: 'an operator' }).waitFor();
});

t.test('two-factor authentication is turned on with the first code of an app', async (t) => {
  await page.goto(`${origin}/settings/account`);
  await button('Turn on').click();
  const dialog = page.getByRole('dialog', { name: 'Turn on' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: /QR code/ }).waitFor();
  const secret = (await dialog.locator('pre code').textContent()) ?? '';
  t.strictSame(await axeFindings(page, { within: '[role="dialog"]' }), []);
  app = new TOTP({ secret: Secret.fromBase32(secret) });
  await dialog.getByLabel('Six-digit code').fill(app.generate());
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('dialog', { name: 'Recovery codes' });
  await codes.waitFor();
  recovery = (await codes.locator('pre code').textContent())?.split('\n')[0] ?? '';
  await page.getByLabel('I have stored them').check();
  await button('Done').click();
  await page.getByText('On. 10 recovery codes left.').waitFor();
});

t.test('a forgotten password is set by mail, and the login asks for the code', async (t) => {
  await button('Log out').click();
  await heading('Log in').waitFor();
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  // Both pages ask for an address: the one that is left must be gone before it is typed.
  await heading('Forgot your password').waitFor();
  await page.getByLabel('Email').fill(EMAIL);
  t.strictSame(await axeFindings(page), []);
  await button('Send reset link').click();
  await page.getByText('a reset link is on its way').waitFor();
  await page.goto(linkIn((await smtp.mailTo(EMAIL, /new password/)).text));
  await page.getByLabel('New password').fill(NEXT_PASSWORD);
  await button('Set password').click();
  await page.getByText('Your new password is set.').waitFor();
  await page.getByRole('link', { name: 'Log in' }).click();
  await page.getByLabel('Email').fill(EMAIL);
  await password().fill(NEXT_PASSWORD);
  await button('Log in').click();
  await page.getByLabel('Code').fill(recovery);
  await button('Log in').click();
  await heading('Overview').waitFor();
  t.ok(app);
});

t.test('everything is exported, and the account deleted with password, code and its name', async (t) => {
  await page.goto(`${origin}/settings/account`);
  const downloading = page.waitForEvent('download');
  await button('Export everything').click();
  t.equal((await downloading).suggestedFilename(), 'verdict-export.ndjson');
  await button('Delete account').click();
  const dialog = page.getByRole('dialog', { name: 'Delete account' });
  const confirm = dialog.getByRole('button', { name: 'Delete account' });
  await dialog.getByLabel('Email address of the account').fill(EMAIL);
  await dialog.getByLabel('Password', { exact: true }).fill(NEXT_PASSWORD);
  await dialog.getByLabel('Code').fill('000000');
  await confirm.click();
  await dialog.getByText('Code is wrong').waitFor();
  const forget = 'UPDATE second_factors SET last_step = 0 FROM users WHERE users.id = user_id AND email = $1';
  await stack.sql(forget, [EMAIL]);
  await dialog.getByLabel('Code').fill(app.generate());
  await confirm.click();
  await heading('Log in').waitFor();
  const [left] = await stack.sql<{ users: number }>(
    'SELECT count(*)::int AS users FROM users WHERE email = $1',
    [EMAIL],
  );
  t.equal(left?.users, 0);
});

t.test('the pages asked nobody but this server, and nothing was refused', async (t) => {
  t.strictSame(watch.foreign, []);
  t.strictSame(watch.refused, []);
});
