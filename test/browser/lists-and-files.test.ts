import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { eventually } from '@verdict/local-stack/eventually.js';
import t from 'tap';
import { axeFindings } from './axe-findings.js';
import { becomes } from './becomes.js';
import { actAs, checksStored, makeChecks, makeKeysAndLists } from './fill-account.js';
import { keptStill } from './layout-shift.js';
import { fillListing, measureListing } from './list-speed.js';
import { heading, openDashboard, saved, visit } from './open-dashboard.js';

// Bulk files, list imports and long tables, with the mouse and with the keyboard.

const CHECKS = 240;
const MANY_ROWS = 500;
/** The page of the file that the first test uploads. */
let job = '';

const { account, origin, open, test } = await openDashboard(t);
await makeKeysAndLists(account);
await makeChecks(account, CHECKS);
// Uses a time zone other than UTC, so that UTC and local time differ.
const page = await open(t, { timezoneId: 'Asia/Tokyo', locale: 'en-GB' });

test('a file is uploaded, quoted, started, completed, filtered and downloaded', async (t) => {
  await visit(page, `${origin}/bulk`, 'Bulk');
  const domain = `${randomBytes(6).toString('hex')}.example`;
  // The lists of the account decide these. Without DNS the worker would retry others for 15 seconds.
  const rows = 'Jane,jane@partner.example\nAgain,JANE@partner.example\nThrow,a@spam-farm.example\nNone,none';
  await page.locator('input[type="file"]').setInputFiles({
    name: `${domain}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(`name,email\n${rows}`),
  });
  await heading(page, `${domain}.csv`).waitFor();
  job = new URL(page.url()).pathname;
  await page.getByText('Nothing is checked or charged until you start the job.').waitFor();
  await page.getByRole('heading', { name: 'Cost' }).waitFor();
  t.strictSame(await axeFindings(page, { within: 'main' }), [], 'a quote passes axe');
  const preview = page.getByRole('table', { name: 'Preview' });
  t.match(await preview.locator('tbody tr').first().textContent(), /Jane.*jane@partner\.example/);
  await page.getByRole('button', { name: 'Start', exact: true }).click();
  await page.getByText(`2 of 2 addresses`).waitFor();
  await page.getByText('completed', { exact: true }).waitFor();
  const table = page.getByRole('table', { name: 'Results' });
  await table.getByText('block', { exact: true }).waitFor();
  await becomes(t, () => table.locator('tbody tr').count(), 4, 'every row of the file');
  t.strictSame(await axeFindings(page, { within: 'main' }), [], 'results pass axe');
  const filter = page.getByRole('radiogroup', { name: 'Rows to show' });
  await filter.getByText('block', { exact: true }).click();
  await page.waitForURL(/decision=block/);
  await eventually(async () => (await table.locator('tbody tr').count()) === 1);
  const download = await saved(page, page.getByRole('button', { name: 'Download CSV' }));
  t.equal(download.name, `${domain}-block.csv`);
  await filter.getByText('duplicate', { exact: true }).click();
  await page.waitForURL(/kind=duplicate/);
  await table.getByText('JANE@partner.example').waitFor();
  await page.goBack();
  await page.waitForURL(/decision=block/);
  await page.getByRole('link', { name: 'Bulk', exact: true }).first().click();
  await page.getByRole('link', { name: `${domain}.csv` }).waitFor();
});

test('a file without a known column offers its columns and is uploaded again', async (t) => {
  await visit(page, `${origin}/bulk`, 'Bulk');
  await page.locator('input[type="file"]').setInputFiles({
    name: 'people.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,reach me at\nJane,nobody\n'),
  });
  await page.getByText('No column of email addresses found.').waitFor();
  t.strictSame(await axeFindings(page, { within: 'main' }), []);
  await page.getByLabel('Address column').selectOption('reach me at');
  await page.getByRole('button', { name: 'Upload people.csv again' }).click();
  await heading(page, 'people.csv').waitFor();
  await page.getByText('The file has no address to check.').waitFor();
  t.equal(await page.getByRole('button', { name: 'Start', exact: true }).isEnabled(), false);
});

test('an import reports the rows it refuses, and the keyboard removes entries', async (t) => {
  await visit(page, `${origin}/rules/lists?list=block`, 'Lists');
  const domain = `${randomBytes(6).toString('hex')}.example`;
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const rows = `value,note\n${domain},Wave\nno value at all,x\nspam-farm.example,\nother.${domain},`;
  await dialog.getByLabel('Entries').fill(rows);
  await dialog.getByRole('button', { name: 'Import' }).click();
  await dialog.getByText('2 added, 1 already there, 1 refused.').waitFor();
  const refused = dialog.getByRole('table', { name: 'Reason' }).locator('tbody tr');
  await becomes(t, () => refused.count(), 1);
  t.match(await refused.textContent(), /^2no value at all.*an address/, 'its row, its value and the reason');
  t.strictSame(await axeFindings(page, { within: '[role="dialog"]' }), [], 'the report passes axe');
  const report = await saved(page, dialog.getByRole('button', { name: 'Save all as CSV' }));
  t.match(readFileSync(report.path, 'utf8'), /^row,value,message\r\n2,no value at all,/);
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
  await dialog.waitFor({ state: 'hidden' });
  t.equal(await page.locator(':focus').textContent(), 'Import', 'the focus is back where it was');

  const bin = (value: string) => page.getByRole('button', { name: `Remove ${value}`, exact: true });
  await bin(`other.${domain}`).waitFor();
  const bins = await page.getByRole('button', { name: /^Remove / }).all();
  await bins[0]?.focus();
  for (const [index, one] of bins.entries()) {
    const focused = await page.locator(':focus').getAttribute('title');
    t.equal(focused, await one.getAttribute('title'), 'from one bin to the next');
    if (index < bins.length - 1) await page.keyboard.press('ArrowDown');
  }
  const focused = page.locator('button:focus');
  await eventually(async () => {
    if ((await focused.getAttribute('title')) === `Remove ${domain}`) return true;
    await page.keyboard.press('ArrowUp');
    return false;
  });
  await page.keyboard.press('Enter');
  await page.getByText(`${domain} removed from the block list`, { exact: true }).waitFor();
  await bin(domain).waitFor({ state: 'hidden' });
});

test('an entry says which mailbox it covers, and its kind at phone width', async (t) => {
  await visit(page, `${origin}/rules/lists?list=block`, 'Lists');
  await page.getByRole('button', { name: 'Add entry', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const name = randomBytes(6).toString('hex');
  await dialog.getByLabel('Address, domain, mail server, IP or network').fill(`${name}+tag@partner.example`);
  await dialog.getByLabel('Matches').selectOption('mailbox');
  await dialog.getByText(`Covers every address that is delivered to ${name}@partner.example.`).waitFor();
  await dialog.getByRole('button', { name: 'Add entry' }).click();
  await dialog.waitFor({ state: 'hidden' });
  const row = page.getByRole('row').filter({ hasText: `${name}@partner.example` });
  const below = row.locator('[data-little]');
  await row.waitFor();
  t.equal(await below.isVisible(), false, 'the column says it where there is room');
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  const { height: tall } = (await row.boundingBox()) ?? {};
  await page.setViewportSize({ width: 375, height });
  await below.waitFor();
  t.equal(await below.textContent(), 'mailbox');
  t.equal((await row.boundingBox())?.height, tall, 'rows keep their height');
  await page.setViewportSize({ width, height });
});

test('a mail server that many share is listed only with the customer’s word', async (t) => {
  await visit(page, `${origin}/rules/lists?list=block`, 'Lists');
  await page.getByRole('button', { name: 'Add entry', exact: true }).click();
  const dialog = page.getByRole('dialog');
  const add = dialog.getByRole('button', { name: 'Add entry' });
  await dialog.getByLabel('Address, domain, mail server, IP or network').fill('mx.yandex.net');
  await dialog.getByLabel('Matches').selectOption('mx');
  await dialog.getByText('Shared mail server').waitFor();
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    t.strictSame(await axeFindings(page, { within: '[role="dialog"]' }), [], `passes axe, ${colorScheme}`);
  }
  await add.click();
  await dialog.getByText(/many unrelated domains share/).waitFor();
  await dialog.getByLabel('Add it anyway').check();
  await add.click();
  await dialog.waitFor({ state: 'hidden' });
  const row = page.getByRole('row').filter({ hasText: 'mx.yandex.net' });
  t.match(await row.textContent(), /mail server/);
});

test('a log of many pages keeps only the visible rows in the document', async (t) => {
  await visit(page, `${origin}/checks`, 'Checks');
  const stored = await checksStored(account, CHECKS);
  const rows = page.getByRole('table', { name: 'Checks' }).locator('tbody tr');
  await eventually(async () => {
    await page.mouse.wheel(0, 4000);
    return (await page.getByText(`${stored} loaded`).count()) === 1;
  });
  t.ok((await rows.count()) < 80, `${await rows.count()} rows of ${stored}`);
});

test('500 rows in one answer put only the visible rows in the document', async (t) => {
  const api = '/api/v1';
  const listings = [
    { path: '/checks', table: 'Checks', from: `${api}/dashboard/logs/`, rows: 'logs', key: 'id' },
    { path: '/rules/lists', table: 'Lists: allow', from: `${api}/lists/allow/`, rows: 'entries', key: 'id' },
    {
      path: job,
      table: 'Results',
      from: `${api}${job.replace('bulk', 'jobs')}/results/`,
      rows: 'results',
      key: 'row',
    },
  ];
  for (const { path, table, from, rows, key } of listings) {
    const listing = await page.context().newPage();
    const vary = (index: number) => ({ [key]: key === 'row' ? index + 1 : `made_up_${index}` });
    await fillListing(listing, from, rows, MANY_ROWS, vary);
    const speed = await measureListing(listing, { url: `${origin}${path}`, table, rows, count: MANY_ROWS });
    const shown = listing.getByRole('table', { name: table });
    t.equal(await shown.getAttribute('aria-rowcount'), String(MANY_ROWS + 1), `${table} has them all`);
    t.ok((await shown.locator('tr[aria-rowindex]').count()) < 80, 'few are in the document');
    t.comment(
      `${table}, ${MANY_ROWS} rows: in the document after ${speed.committed} ms, drawn after ${speed.drawn} ms`,
    );
    await keptStill(t, listing, table);
    await listing.close();
  }
});

test('the keyboard alone reaches the content and the details of a check', async (t) => {
  await visit(page, `${origin}/checks`, 'Checks');
  await page.keyboard.press('Tab');
  t.equal((await page.locator(':focus').textContent()) ?? '', 'Skip to the content');
  await page.getByRole('table', { name: 'Checks' }).getByRole('link').first().focus();
  await page.keyboard.press('ArrowDown');
  const second = (await page.locator(':focus').textContent()) ?? '';
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText(second).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  t.match(page.url(), /\/checks$/);
  t.equal(await page.locator(':focus').textContent(), second, 'the focus is back on the row');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  const before = page.url();
  await page.keyboard.press('j');
  await page.waitForURL((url) => url.href !== before);
  await page.keyboard.press('k');
  await page.waitForURL(before);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await page.keyboard.press('/');
  t.equal(await page.locator(':focus').getAttribute('type'), 'search');
  await page.goBack();
  await page.getByRole('dialog').waitFor();
  t.pass('the details have an address of their own');
});

test('the log search takes ids, hints at what nothing matches, and goes back filter by filter', async (t) => {
  await visit(page, `${origin}/checks`, 'Checks');
  const rows = page.getByRole('table', { name: 'Checks' }).locator('tbody tr');
  const search = page.getByLabel('Address, domain, IP or id');
  await search.fill('mailinator .com');
  await page.getByText('Addresses, domains and IPs have no spaces.').first().waitFor();
  t.equal(await rows.count(), 0, 'no row stays as if it matched');
  t.equal(await page.getByRole('alert').count(), 0);
  await search.fill('');
  await page.waitForURL(/\/checks$/);
  await page.getByRole('checkbox', { name: 'block' }).check();
  await page.waitForURL(/decision=block/);
  await page.goBack();
  await page.waitForURL(/\/checks$/);
  const [log] = (
    await actAs<{ logs: { id: string; email: string }[] }>(account, 'dashboard/logs/?limit=1', {})
  ).logs;
  await search.fill(log?.id ?? '');
  const panel = page.getByRole('dialog');
  await panel
    .getByText(log?.email ?? '')
    .first()
    .waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await panel.getByRole('button', { name: 'Copy explanation' }).click();
  await panel.getByText('Copied').waitFor();
  t.match(await page.evaluate('navigator.clipboard.readText()'), `/checks/${log?.id}`);
  await page.goto(`${origin}/checks/log_00000000000000000000000000`);
  await panel.getByText('This account has no check with this id.').waitFor();
});

test('Ctrl+K finds pages and addresses, by keyboard', async (t) => {
  await visit(page, `${origin}/developers/keys`, 'Keys');
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('combobox', { name: 'Page, key, address, domain or id' });
  await palette.fill('usag');
  t.strictSame(await axeFindings(page, { within: '[role="dialog"]' }), [], 'the palette passes axe');
  await page.keyboard.press('Enter');
  await heading(page, 'Usage').waitFor();
  await page.keyboard.press('Control+k');
  await palette.fill('jane@example.com');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await heading(page, 'Check an address').waitFor();
  t.equal(await page.getByLabel('Email address').inputValue(), 'jane@example.com');
});

test('times are in UTC, and in local time on hover', async (t) => {
  await page.goto(`${origin}/developers/keys`);
  const moment = page.getByRole('table', { name: 'Keys' }).locator('time').last();
  const at = (await moment.getAttribute('datetime')) ?? '';
  t.equal(await moment.textContent(), at.slice(0, 19).replace('T', ' '));
  const there = new Date(at).toLocaleTimeString('en-GB', { timeZone: 'Asia/Tokyo' });
  t.match(await moment.getAttribute('title'), there);
});
