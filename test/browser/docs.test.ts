import t from 'tap';
import { axeFindings } from './axe-findings.js';
import { heading, openDashboard } from './open-dashboard.js';
import { settled } from './settled.js';

// The public documentation: everyone reads it without an account.

const GUIDES = [
  'Quickstart',
  'Authentication',
  'Errors',
  'Limits',
  'Idempotency',
  'Batch and bulk',
  'Hooks',
  'Recipes',
  'Outcomes',
  'Webhooks',
  'Policies',
  'Scoring',
  'Test addresses',
  'Conformance',
];
/** Pages of the clients, whose first heading is the name of their package. */
const CLIENTS = {
  'Node client': '@verdict/sdk',
  'Python client': 'verdict-client',
  'PHP client': 'verdict/client',
};
const { origin, open, test } = await openDashboard(t);

test('a visitor without an account reads every guide and the reference', async (t) => {
  const page = await open(t, { as: null });
  await page.goto(`${origin}/login`);
  await page.getByRole('link', { name: 'Read the docs' }).click();
  for (const name of GUIDES) {
    await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await heading(page, name).waitFor();
  }
  for (const [link, name] of Object.entries(CLIENTS)) {
    await page.getByRole('navigation').getByRole('link', { name: link, exact: true }).click();
    await heading(page, name).waitFor();
    t.match(
      await page.locator('article').textContent(),
      `${origin}/sdk/`,
      'the command installs from this server',
    );
  }
  await page.getByRole('link', { name: 'Changelog' }).click();
  await page.getByRole('link', { name: 'API reference' }).click();
  await heading(page, 'API reference').waitFor();
  const logins = page.getByRole('region', { name: 'auth' });
  await logins.getByText(/^\d+ endpoints$/).waitFor();
  t.equal(await logins.getByRole('article').first().isVisible(), false, 'what few come for is folded');
  await page.goto(`${origin}/docs/reference#post--api-v1-auth-jwt-create-`);
  await logins.getByRole('article').first().waitFor();
  await page.goto(`${origin}/docs/reference#post--api-v1-check-`);
  await page.getByText('Python', { exact: true }).first().click();
  await page.getByText('urllib.request.Request(').first().waitFor();
  await page.getByText('PHP', { exact: true }).first().click();
  await page.getByText('curl_setopt_array(').first().waitFor();
  t.match(await page.locator('article pre').first().textContent(), `${origin}/api/v1/check/`);
});

test('the search leads to a section, and a link inside a guide to the next one', async (t) => {
  const page = await open(t, { as: null });
  await page.goto(`${origin}/docs`);
  await heading(page, 'Quickstart').waitFor();
  t.match(await page.locator('article').textContent(), `${origin}/api/v1/check/`, 'samples name this server');
  await page.getByLabel('Search the docs').fill('retry safely');
  await page.getByRole('link', { name: /Errors: Retry safely/ }).click();
  await heading(page, 'Errors').waitFor();
  t.equal(new URL(page.url()).hash, '#retry-safely');
  await page.getByRole('main').getByRole('link', { name: 'Limits' }).click();
  await heading(page, 'Limits').waitFor();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the docs pass axe and fit a phone in the ${colorScheme} scheme`, async (t) => {
    const page = await open(t, { as: null, colorScheme, viewport: { width: 390, height: 800 } });
    for (const path of [
      'quickstart',
      'errors',
      'limits',
      'integrate',
      'node',
      'python',
      'php',
      'hooks',
      'conformance',
      'reference',
    ]) {
      await page.goto(`${origin}/docs/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await settled(page);
      // The light run checks every rule.
      t.strictSame(await axeFindings(page, { colours: colorScheme === 'dark' }), [], path);
      t.ok(
        await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'),
        `${path} does not scroll sideways`,
      );
    }
  });
}
