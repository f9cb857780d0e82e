import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '@verdict/local-stack/program.js';
import t from 'tap';
import { startProcess } from '../../scripts/lib/start-process.mjs';
import { axeFindings } from './axe-findings.js';
import { becomes } from './becomes.js';
import { actAs, checksStored, makeChecks } from './fill-account.js';
import { DESK, openDashboard, visit } from './open-dashboard.js';

// Rules from the first one to a live policy and back, by keyboard; the same policy as a file.

const CHECKS = 60;
const PRESET = 'Business addresses only';

const { account, origin, open, test } = await openDashboard(t);
await makeChecks(account, CHECKS);
const page = await open(t);
const button = (name: string) => page.getByRole('button', { name, exact: true });
const focused = page.locator(':focus');
const names = () => page.getByRole('main').locator('ol li strong').allTextContents();

/** Reaches a button by its name and presses a key there; the mouse stays where it is. */
async function press(name: string, key = 'Enter'): Promise<void> {
  await button(name).focus();
  await page.keyboard.press(key);
}

test('a rule is written, refused at its field, ordered and saved, by keyboard alone', async (t) => {
  await visit(page, `${origin}/rules/policies`, 'Policies');
  await page.getByText('No rules yet').waitFor();
  await press('Add rule');
  t.equal(await focused.inputValue(), 'Rule 1', 'the editor opens at the name');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Our partner');
  await page.getByLabel('Field').selectOption('domain');
  await page.getByLabel('Comparison').selectOption('under');
  await press('Save as new version');
  const rule = page.getByRole('main').locator('ol li');
  await rule.getByRole('alert').waitFor();
  t.match(await rule.getByRole('alert').textContent(), /^Value must /);
  t.equal(await page.getByLabel('Value').getAttribute('aria-invalid'), 'true', 'the field is marked too');
  t.strictSame(await axeFindings(page, { within: 'main' }), [], 'an open rule with an error passes axe');

  await page.getByLabel('Value').focus();
  await page.keyboard.type('Partner.example');
  await page.getByLabel('Outcome').selectOption('exactly');
  await page.getByLabel('Decision', { exact: true }).selectOption('allow');
  const end = page.getByLabel('Ends (UTC, optional)');
  await end.focus();
  await page.keyboard.type('112020260230PM');
  t.equal(await end.inputValue(), '2026-11-20T14:30', 'the end is typed');
  await rule.getByText(/: exactly allow, (until|ended) 20 Nov 2026, 14:30 UTC$/).waitFor();
  t.strictSame(await axeFindings(page, { within: 'main' }), [], 'an open rule with an end passes axe');
  await end.fill('');
  await press('Add group');
  await page.getByRole('group', { name: 'Group 2' }).getByLabel('Field').selectOption('codes');
  const code = page.getByRole('group', { name: 'Group 2' }).getByLabel('Value');
  t.ok(
    await page
      .locator(`datalist[id="${await code.getAttribute('list')}"] option[value="RELAY_DOMAIN"]`)
      .count(),
    'codes are completed',
  );
  await press('Remove group');
  await press('Done');
  t.equal(await focused.getAttribute('aria-label'), 'Edit Our partner');
  await rule.getByText(/^If the domain is Partner\.example or below it: exactly allow$/).waitFor();

  await press('Add a preset');
  await page.getByRole('menuitem', { name: PRESET }).focus();
  await page.keyboard.press('Enter');
  await button(`Edit ${PRESET}`).focus();
  await page.keyboard.press('Alt+ArrowUp');
  t.strictSame(await names(), [PRESET, 'Our partner']);
  await page.getByText(`${PRESET} is now rule 1 of 2`).waitFor();
  t.equal(await focused.getAttribute('aria-label'), `Edit ${PRESET}`, 'the focus moves along');
  await press(`Move ${PRESET} down`);
  t.strictSame(await names(), ['Our partner', PRESET]);
  await page.getByTitle('Drag to another place').last().dragTo(rule.first());
  t.strictSame(await names(), [PRESET, 'Our partner'], 'and the mouse drags');
  await page.getByTitle('Drag to another place').last().dragTo(rule.first());

  await page.getByText('JSON', { exact: true }).click();
  const json = page.getByLabel('Rules as JSON');
  const text = await json.inputValue();
  await json.fill(text.slice(0, -1));
  await page.getByText(/^This is not JSON yet/).waitFor();
  await json.fill(text.replace('"Our partner"', '"Partners"'));
  await button('Edit Partners').waitFor();
  await page.getByLabel('Note (optional)').fill('Only companies');
  await press('Save as new version');
  await page.getByText('Version 1 saved').waitFor();
  await page.waitForURL(/version=1/);
  await rule.getByText('If the domain is partner.example or below it').waitFor();
  await page.getByRole('table', { name: 'Versions' }).getByText('Only companies').waitFor();
});

test('a version is made live after a question, decides, and is taken back', async (t) => {
  await visit(page, `${origin}/rules/policies?version=1`, 'Policies');
  const acts = await button('Make live').boundingBox();
  const sentence = await page.getByText(/^No version is live: /).boundingBox();
  const gap = (sentence?.y ?? 0) - (acts?.y ?? 0) - (acts?.height ?? 0);
  t.equal(Math.round(gap), 14, 'the sentence keeps the gap of the page to the buttons');
  await press('Make live');
  const dialog = page.getByRole('dialog');
  await dialog.getByText(`Added: ${PRESET}`).waitFor();
  await dialog.getByRole('button', { name: 'Make version 1 live' }).press('Enter');
  const really = dialog.getByLabel('Make it live although it blocks so many');
  await really.waitFor();
  t.strictSame(await axeFindings(page, { within: '[role="dialog"]' }), [], 'the question passes axe');
  await really.press('Space');
  await dialog.getByRole('button', { name: 'Make version 1 live' }).press('Enter');
  await page.getByText('Version 1 is live').waitFor();

  const check = await account.api<{ id: string; decision: string }>('check/', {
    json: { email: 'jo@gmail.com' },
  });
  t.equal(check.body.decision, 'block');
  await checksStored(account, CHECKS + 1);
  await page.goto(`${origin}/checks/${check.body.id}`);
  await page
    .getByRole('dialog')
    .getByRole('link', { name: `${PRESET} (version 1)` })
    .click();
  await page.waitForURL(/policies\?version=1/);

  await press('Turn off');
  await dialog.getByText(`Removed: ${PRESET}`).waitFor();
  await actAs(account, 'policies/live/', { method: 'PUT', json: { version: null } });
  await dialog.getByRole('button', { name: 'Turn off' }).press('Enter');
  await dialog.getByText(/^Somebody else changed the live version/).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('No version is live').waitFor();
});

test('a backtest is run and followed to its checks, and an address tried, by keyboard alone', async (t) => {
  await visit(page, `${origin}/rules/policies?version=1`, 'Policies');
  await press('Run backtest');
  const [counted] = await account.sql<{ changed: number; judged: number }>(
    `SELECT count(*)::int AS judged,
       count(*) FILTER (WHERE decision <> 'block' AND ((signals ->> 'free_provider')::boolean
         OR (signals ->> 'disposable_email')::boolean OR 'relay' = ANY(extra)))::int AS changed
     FROM check_logs JOIN users USING (account_id) WHERE email = $1`,
    [account.email],
  );
  const { changed = 0, judged = 0 } = counted ?? {};
  await page.getByText(`${changed} of ${judged} decisions would change`).waitFor();
  const matrix = page.getByRole('table', { name: 'The last 30 days' });
  t.strictSame(await axeFindings(page, { within: 'main' }), [], 'the report passes axe');
  const cell = matrix.getByRole('link', { name: /: allow becomes block/ });
  const checks = Number(await cell.textContent());
  await cell.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/checks\?ids=/);
  await page.getByText(`Only the ${checks} checks that the link names.`).waitFor();
  const rows = page.getByRole('table', { name: 'Checks' }).locator('[data-row]');
  await rows.nth(checks - 1).waitFor();
  await becomes(t, () => rows.count(), checks);

  await visit(page, `${origin}/rules/policies?version=1`, 'Policies');
  await page.getByLabel('Email address').focus();
  await page.keyboard.type('jo@gmail.com');
  await page.keyboard.press('Enter');
  await page.getByText(`Rule “${PRESET}” decides.`).waitFor();
  t.strictSame(await axeFindings(page, { within: 'main' }), [], 'the outcome passes axe');
  await page.getByLabel('Email address').fill('not an address');
  await page.keyboard.press('Enter');
  await page.locator('[aria-invalid="true"]').waitFor();
});

test('the shadow reports what it would change, at phone width and in the dark too', async (t) => {
  await visit(page, `${origin}/rules/policies?version=1`, 'Policies');
  await press('Run in shadow');
  await page.getByText('It has judged no check yet.').waitFor();
  await account.api('check/', { json: { email: 'jo@gmail.com' } });
  await checksStored(account, CHECKS + 2);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: 'dark' });
  await visit(page, `${origin}/rules/policies?version=1`, 'Policies');
  await page.getByText('1 of 1 decisions would change (100.0%).').waitFor();
  const overhang = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  t.equal(await page.evaluate(overhang), 0, 'fits into 390 px');
  t.strictSame(await axeFindings(page, { within: 'main' }), [], 'passes axe');
  await page.setViewportSize(DESK);
  await page.emulateMedia({ colorScheme: 'light' });
  await press('End shadow');
  await page.getByText('No version runs in shadow').waitFor();
});

test('rules for an attack end after a day, later or never, as the form says', async (t) => {
  await visit(page, `${origin}/rules/policies`, 'Policies');
  await press('Add a preset');
  await page.getByRole('menuitem', { name: 'Strict during an attack' }).press('Enter');
  const sentences = page.getByRole('main').locator('ol li strong + p');
  const until = /, until \d+ \w+ 20\d\d, \d\d:\d\d UTC$/;
  await becomes(t, () => sentences.filter({ hasText: until }).count(), 2);
  await press('Edit Attack: any doubt');
  await page.getByLabel('Ends (UTC, optional)').fill('2026-01-02T03:04');
  const ended = page.getByText(/: at least challenge, ended 2 Jan 2026, 03:04 UTC$/);
  await ended.waitFor();
  await press('Done');
  for (const preset of ['One account per mailbox', 'Relays welcome']) {
    await press('Add a preset');
    await page.getByRole('menuitem', { name: preset }).press('Enter');
  }
  await press('Save as new version');
  await page.getByText('Version 2 saved').waitFor();
  await actAs(account, 'policies/live/', { method: 'PUT', json: { version: 2, really: true } });
  await visit(page, `${origin}/rules/policies`, 'Policies');
  await ended.waitFor();
  await becomes(t, () => sentences.filter({ hasText: until }).count(), 1, 'the ends are saved');
  t.notMatch(await sentences.nth(2).textContent(), /until|ended/, 'other presets have no end');
  await account.api('check/', { json: { email: 'jo@icloud.com', ip: '203.0.113.9' } });
  await checksStored(account, CHECKS + 3);
  await visit(page, `${origin}/rules/policies`, 'Policies');
  await page.getByText(/^Matched 2 today, 2 in 7 days\./).waitFor();
  t.strictSame(await axeFindings(page, { within: 'main' }), [], 'the effect of a rule passes axe');
  await page.getByRole('link', { name: 'Show the checks' }).press('Enter');
  await page.waitForURL(/checks\?rule=/);
  const rows = page.getByRole('table', { name: 'Checks' }).locator('[data-row]');
  await rows.first().waitFor();
  await becomes(t, () => rows.count(), 2, 'and leads to the checks that it decided');
  t.equal(await rows.first().textContent(), 'jo@icloud.com');
  await visit(page, `${origin}/rules/policies`, 'Policies');
  await press('Turn off');
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).press('Enter');
  await page.getByText('No policy is live').waitFor();
});

test('the command line pulls, tests and pushes the same policy', async (t) => {
  const { email, password } = account;
  const login = await account.api<{ access: string }>('auth/jwt/create/', { json: { email, password } });
  const created = await account.api<{ api_key: string }>('dashboard/keys/', {
    headers: { authorization: `Bearer ${login.body.access}` },
    json: { name: 'CI', scopes: ['policies'] },
  });
  const file = join(mkdtempSync(join(tmpdir(), 'verdict-policy-')), 'policy.json');
  const verdict = async (...args: string[]) => {
    const run = startProcess(process.execPath, [programFile('verdict'), 'policy', ...args], {
      PATH: process.env.PATH ?? '',
      VERDICT_DATA_DIR: tmpdir(),
      VERDICT_URL: `${origin}/api/v1/`,
      VERDICT_API_KEY: created.body.api_key,
    });
    const { code } = await run.exited;
    return { code, output: run.output() };
  };
  t.match(await verdict('pull', file, '--version', '1'), { code: 0 });
  const pulled = JSON.parse(readFileSync(file, 'utf8')) as { note: string; rules: object[] };
  t.match(pulled, { note: 'Only companies', rules: [{ name: 'Partners' }, { name: PRESET }] });
  const examples = [{ given: { signals: { free_provider: true } }, expect: 'block', rule: PRESET }];
  writeFileSync(file, JSON.stringify({ ...pulled, examples }));
  t.match(await verdict('test', file), { code: 0, output: /1 of 1 examples hold/ });
  t.match(await verdict('live'), { code: 0, output: /No policy is live/ });
  t.match(await verdict('push', file, '--live', '--expect', '7'), { code: 1 });
  t.match(await verdict('push', file, '--json'), { code: 0, output: /"version": 4/ });
});
