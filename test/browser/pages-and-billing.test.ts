import { readFileSync } from 'node:fs';
import { ACCOUNT_PAGES, OPERATOR_PAGES } from '@verdict/contracts/pages.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import t, { type Test } from 'tap';
import { axeFindings } from './axe-findings.js';
import { becomes } from './becomes.js';
import { actAs, makeChecks, makeHistory, makeKeysAndLists, makePolicies } from './fill-account.js';
import { goTo } from './go-to.js';
import { keptStill } from './layout-shift.js';
import { makeOperator } from './make-operator.js';
import { DESK, heading, openDashboard, saved } from './open-dashboard.js';
import { settled } from './settled.js';

// Every page loads whole, at each width and in both colour schemes; statements print, invoices and reports download.

/** Path, heading, and how to get there. The guides below /docs have their own test. */
const PAGES = [
  ...ACCOUNT_PAGES.filter(({ to }) => to !== '/docs').map(
    ({ to, label }) => [to, label, () => goTo(page, label)] as const,
  ),
  ...OPERATOR_PAGES.map(
    ({ to, label }, index) => [to, label, () => follow(index === 0 ? 'Operator' : label)] as const,
  ),
];
const TABLET = { width: 768, height: 1024 };
const PHONE = { width: 360, height: 740 };

const { account, origin, open, test } = await openDashboard(t);
await makeHistory(account);
await makeKeysAndLists(account);
await makePolicies(account);
await makeChecks(account, 30);
const { invoices: issued } = await actAs<{ invoices: { number: string }[] }>(
  account,
  'billing/invoices/',
  {},
);
const invoicePage = await actAs<string>(account, `billing/invoices/${issued[0]?.number}/?format=html`, {});
const page = await open(t);
await makeOperator(account, account.email);
const main = page.getByRole('main');

const follow = (link: string) => page.getByRole('link', { name: link, exact: true }).first().click();

/** Checks what holds for every page, whether it was opened by URL or by a link. */
async function isWhole(t: Test, path: string, name: string): Promise<void> {
  await heading(page, name).waitFor();
  await settled(page);
  t.equal(new URL(page.url()).pathname, path);
  await becomes(t, () => page.getByRole('heading', { level: 1 }).count(), 1, `${path} has one h1`);
  t.equal(await main.getByRole('alert').count(), 0, `${path} shows no error`);
}

/** Axe in both colour schemes; the run in the dark is about colours alone. */
async function passesAxe(t: Test, what: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    const colours = colorScheme === 'dark';
    t.strictSame(await axeFindings(page, { colours }), [], `${what} passes axe, ${colorScheme}`);
  }
}

test('every page loads by URL without layout shift or overflow, at 1280, 768 and 360 px', async (t) => {
  for (const size of [DESK, TABLET, PHONE]) {
    await page.setViewportSize(size);
    for (const [path, name] of PAGES) {
      await page.goto(`${origin}${path}`);
      await isWhole(t, path, name);
      const overhang = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      t.equal(overhang, 0, `${path} fits into ${size.width} px`);
      await keptStill(t, page, `${path}, ${size.width} px`);
      // At 1280 px the next but one test runs it, without loading it for each page.
      if (size !== DESK) await passesAxe(t, `${path}, ${size.width} px,`);
    }
  }
});

test('phones get a menu, and tablets hide columns before they squeeze the first one', async (t) => {
  await page.setViewportSize(PHONE);
  await page.goto(`${origin}/settings/audit`);
  await page.getByRole('button', { name: 'Menu' }).click();
  await goTo(page, 'Keys');
  await heading(page, 'Keys').waitFor();
  await page.setViewportSize({ width: 820, height: 740 });
  for (const [name, table] of [
    ['Lists', 'Lists: allow'],
    ['Keys', 'Keys'],
    ['Plan and invoices', 'Invoices'],
    ['Accounts', 'Accounts'],
    ['Months', 'Months'],
  ] as const) {
    await PAGES.find(([, heading]) => heading === name)?.[2]();
    await main.getByRole('table', { name: table }).waitFor();
    await settled(page);
    for (const one of await main.getByRole('table').all()) {
      const { width } = (await one.locator('th').first().boundingBox()) ?? { width: 0 };
      t.ok(width >= 90, `${name}: the first column, which tells the rows apart, has ${width} px`);
    }
  }
  await page.setViewportSize(DESK);
});

test('the navigation reaches every page, and each passes axe in light and dark', async (t) => {
  // Follows links from here on. One document means that axe is loaded and compiled once.
  await page.goto(`${origin}/settings/account`);
  for (const [path, name, open] of PAGES) {
    await open();
    await isWhole(t, path, name);
    await passesAxe(t, path);
  }
});

test('the browser verifies the checksum of a statement, on screen and on paper', async (t) => {
  await page.goto(`${origin}/billing`);
  await page.getByRole('table', { name: 'Statements' }).getByRole('link').first().click();
  await page.getByText('The checksum matches. This statement is unchanged.').waitFor();
  await main.getByRole('table', { name: 'By tag' }).getByRole('cell', { name: 'newsletter' }).waitFor();
  t.strictSame(await axeFindings(page, { within: 'main' }), []);
  await page.evaluate('window.print = () => { window.printed = true; }');
  await page.getByRole('button', { name: 'Print' }).click();
  t.equal(await page.evaluate('window.printed'), true, 'it is printed by a button');
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  t.equal(await page.getByRole('navigation').count(), 0, 'on paper there is nothing to click');
  t.equal(await main.getByRole('button').count(), 0);
  t.equal(await page.evaluate('getComputedStyle(document.body).backgroundColor'), 'rgb(255, 255, 255)');
  await page.getByText('The checksum matches. This statement is unchanged.').waitFor();
  t.equal((await page.pdf()).subarray(0, 5).toString(), '%PDF-');
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  await page.route('**/api/v1/billing/statements/*/', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, body: (await answer.text()).replace('"used":', '"used":1') });
  });
  await page.reload();
  await page.getByText('The checksum does not match.').waitFor();
  await page.unrouteAll();
});

test('an address of an earlier release leads to its page, with its query', async (t) => {
  for (const [from, to, name] of [
    ['/logs?decision=block#top', '/checks?decision=block#top', 'Checks'],
    ['/policies?version=1', '/rules/policies?version=1', 'Policies'],
    ['/account', '/settings/account', 'Account'],
  ] as const) {
    const answer = await page.goto(`${origin}${from}`);
    t.equal(answer?.status(), 200);
    await heading(page, name).waitFor();
    t.equal(page.url(), `${origin}${to}`);
  }
});

test('an unknown address is a page inside the shell, and filters stay off paper', async (t) => {
  await page.goto(`${origin}/nowhere`);
  await heading(page, 'Page not found').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  for (const [path, name] of [
    ['/billing/usage', 'Usage'],
    ['/checks', 'Checks'],
  ] as const) {
    await page.goto(`${origin}${path}`);
    await isWhole(t, path, name);
    await page.emulateMedia({ media: 'print' });
    t.equal(await main.getByRole('button').count(), 0, `${path} prints no button`);
    t.equal(await main.getByRole('combobox').count(), 0, `${path} prints no select`);
    await page.emulateMedia({ media: 'screen' });
  }
});

test('an operator opens an account, suspends and resumes it', async (t) => {
  await page.goto(`${origin}/operator/accounts`);
  await main.getByRole('table', { name: 'Accounts' }).getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Last actions' }).waitFor();
  t.strictSame(await axeFindings(page, { within: 'main' }), [], 'an account passes axe');
  const act = async (name: string) => {
    await main.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Suspend account');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('unpaid');
  t.strictSame(await axeFindings(page, { within: '[role="dialog"]' }), []);
  await dialog.getByRole('button', { name: 'Suspend account' }).click();
  await main.getByText('unpaid').waitFor();
  await act('Resume account');
  await dialog.getByRole('button', { name: 'Resume account' }).click();
  await main.getByText('active', { exact: true }).first().waitFor();
  await account.sql(`UPDATE users SET operator_role = 'support' WHERE email = $1`, [account.email]);
  await page.reload();
  await page.getByRole('heading', { name: 'Last actions' }).waitFor();
  t.equal(await main.getByRole('button', { name: 'Actions' }).count(), 0, 'support reads');
  const tabs = page.getByRole('navigation', { name: 'Operator area' }).getByRole('link');
  await becomes(t, () => tabs.allTextContents(), ['Accounts', 'System']);
  await page.goto(`${origin}/operator/months`);
  await page.getByText('This page is not for your role').waitFor();
  await account.sql(`UPDATE users SET operator_role = 'admin' WHERE email = $1`, [account.email]);
});

test('the name and the invoice address are changed', async (t) => {
  await page.goto(`${origin}/settings/account`);
  await page.getByRole('button', { name: 'Change your name' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Ada Lovelace');
  t.strictSame(await axeFindings(page, { within: '[role="dialog"]' }), []);
  await dialog.getByRole('button', { name: 'Save name' }).click();
  await main.getByText('Ada Lovelace').waitFor();
  await page.goto(`${origin}/billing`);
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('Name or company').fill('Analytical Engines Ltd');
  await dialog.getByLabel('Country').selectOption('GB');
  await dialog.getByLabel('VAT number or tax id').fill('GB123');
  await dialog.getByRole('button', { name: 'Save address' }).click();
  await dialog.getByText('does not look like a VAT number of GB').waitFor();
  await dialog.getByLabel('VAT number or tax id').fill('GB980780684');
  t.strictSame(await axeFindings(page, { within: '[role="dialog"]' }), []);
  await dialog.getByRole('button', { name: 'Save address' }).click();
  await main.getByText('Analytical Engines Ltd').waitFor();
});

test('the switches of scoring are changed, kept, audited and shown on the overview', async (t) => {
  const settings = async () =>
    (
      await account.sql('SELECT bursts, burst_mails, ip_intelligence FROM accounts WHERE id = $1', [
        account.accountId,
      ])
    )[0];
  const on = { bursts: true, burst_mails: true, ip_intelligence: true };
  t.strictSame(await settings(), on, 'a new account has all on');
  for (const [name, label] of [
    ['bursts', 'Score repeated sign-ups'],
    ['burst_mails', 'Mail about repeated sign-ups'],
    ['ip_intelligence', 'Look up IP addresses'],
  ] as const) {
    const box = page.getByRole('checkbox', { name: label });
    for (const wanted of [false, true]) {
      await page.goto(`${origin}/rules/scoring`);
      await heading(page, 'Scoring').waitFor();
      await box.waitFor();
      await becomes(t, () => box.isChecked(), !wanted, `${name} shows what is stored`);
      await box.click();
      await eventually(async () => (await box.isEnabled()) && (await box.isChecked()) === wanted);
      t.strictSame(await settings(), { ...on, [name]: wanted }, 'only this one changes');
      if (name !== 'bursts') continue;
      await page.goto(`${origin}/`);
      await heading(page, 'Overview').waitFor();
      await settled(page);
      const off = main.getByRole('link', { name: 'Off. Turn on repeated sign-ups under Scoring.' });
      await becomes(t, () => off.count(), wanted ? 0 : 1);
    }
  }
  await page.goto(`${origin}/settings/audit`);
  await heading(page, 'Audit').waitFor();
  await settled(page);
  await becomes(
    t,
    () => main.getByText('Changed the settings').count(),
    6,
    'each change is in the audit log',
  );
});

test('invoices and the reports of a month download as files', async (t) => {
  const save = (button: string) => saved(page, page.getByRole('button', { name: button, exact: true }));
  await page.goto(`${origin}/billing`);
  const invoices = page.getByRole('table', { name: 'Invoices' });
  const number = (await invoices.locator('tbody td').first().textContent()) ?? '';
  const pdf = await save(`Save ${number} as PDF`);
  t.equal(pdf.name, `${number}.pdf`);
  t.equal(readFileSync(pdf.path).subarray(0, 5).toString(), '%PDF-');
  const xml = await save(`Save ${number} as XML`);
  t.equal(xml.name, `${number}.xml`);
  t.match(readFileSync(xml.path, 'utf8'), `<ram:ID>${number}</ram:ID>`);
  const paper = await page.context().newPage();
  await paper.setContent(invoicePage);
  await paper
    .getByText(issued[0]?.number ?? '')
    .first()
    .waitFor();
  t.strictSame(await axeFindings(paper), [], 'the invoice passes axe');
  await paper.close();

  await page.goto(`${origin}/operator/months`);
  await page.getByRole('table', { name: 'Months' }).getByText('closed').first().waitFor();
  const monthAgo = (months: number) => {
    const first = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - months));
    const format = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
    return { month: first.toISOString().slice(0, 7), spoken: first.toLocaleDateString('en-GB', format) };
  };
  const { month, spoken } = monthAgo(1);
  const issuedIn = monthAgo(0);
  for (const [button, name, holds] of [
    [`Save the report of ${spoken} as HTML`, `verdict-${month}.html`, spoken],
    [`Save the statements of ${spoken} as CSV`, `verdict-statements-${month}.csv`, account.accountId],
    [
      `Save the invoices and credit notes issued in ${issuedIn.spoken} as CSV`,
      `verdict-invoices-${issuedIn.month}.csv`,
      number,
    ],
  ] as const) {
    const paper = await save(button);
    t.equal(paper.name, name);
    t.match(readFileSync(paper.path, 'utf8'), holds);
  }
});
