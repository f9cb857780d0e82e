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
  'Set up your team',
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

test('every page of the docs passes axe and does not scroll sideways, at three widths and in both schemes', async (t) => {
  const page = await open(t, { as: null });
  await page.goto(`${origin}/docs`);
  await heading(page, 'Quickstart').waitFor();
  const paths = (await page.evaluate(
    `[...new Set([...document.querySelectorAll('nav a[href^="/docs"]')].map(({ pathname }) => pathname))]`,
  )) as string[];
  t.ok(paths.length > GUIDES.length, paths.join(' '));
  for (const path of paths) {
    await page.goto(`${origin}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await settled(page);
    for (const width of [1280, 768, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
        // The light run checks every rule.
        const found = await axeFindings(page, { colours: colorScheme === 'dark' });
        t.strictSame(found, [], `${path}, ${width} px, ${colorScheme}`);
      }
      const overhang = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      t.ok(Number(overhang) <= 0, `${path} does not scroll sideways at ${width} px`);
    }
  }
});
