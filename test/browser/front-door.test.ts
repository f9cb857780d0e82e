import type { Request } from 'playwright-core';
import t from 'tap';
import { axeFindings } from './axe-findings.js';
import { heading, openDashboard } from './open-dashboard.js';

// A guest learns what Verdict is and costs, without an account and without scripts.

const { origin, open, test } = await openDashboard(t);
const H1 = 'Know which sign-ups to trust';

test('a guest reads what it is and costs, in both themes and at three widths', async (t) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [1280, 768, 390]) {
      const page = await open(t, { as: null, colorScheme, viewport: { width, height: 900 } });
      await page.goto(`${origin}/`);
      await heading(page, H1).waitFor();
      await page.getByRole('heading', { name: 'growth' }).waitFor();
      t.strictSame(await axeFindings(page), [], `${colorScheme} ${width}`);
      const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      t.equal(wide, false, 'nothing scrolls sideways');
    }
  }
});

const TRIED = {
  ...{ email: 'info@mailinator.com', decision: 'block', risk_score: 92 },
  reasons: ['The address is of a throw-away domain.'],
};

for (const colorScheme of ['light', 'dark'] as const) {
  test(`a guest tries an address and reads what the answer means, in the ${colorScheme} scheme`, async (t) => {
    const page = await open(t, { as: null, colorScheme });
    const field = page.getByLabel('Try an address');
    await page.goto(`${origin}/`);
    await heading(page, H1).waitFor();
    t.equal(await field.isVisible(), false, 'no field where nothing pays for it');
    await page.route('**/api/v1/', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), try: 'POST /api/v1/try/' } });
    });
    await page.route('**/api/v1/try/', (route) => {
      t.strictSame(route.request().postDataJSON(), { email: TRIED.email });
      return route.fulfill({ json: { success: true, ...TRIED } });
    });
    await page.reload();
    await field.fill(TRIED.email);
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await page.getByText('block, score 92 of 100. Refuse it.').waitFor();
    await page.getByText(TRIED.reasons[0] ?? '', { exact: true }).waitFor();
    await page.getByText('The answer as your code gets it').click();
    await page.getByText('"risk_score": 92').waitFor();
    t.strictSame(await axeFindings(page), []);
  });
}

test('without scripts the front page and the guides are there', async (t) => {
  const page = await open(t, { as: null, javaScriptEnabled: false });
  await page.goto(`${origin}/`);
  await heading(page, H1).waitFor();
  await page.getByText('99.00 EUR a month', { exact: true }).waitFor();
  await page.goto(`${origin}/docs`);
  await heading(page, 'Quickstart').waitFor();
  await page.getByRole('link', { name: 'Webhooks', exact: true }).first().click();
  await heading(page, 'Webhooks').waitFor();
});

test('a guest at an unknown address gets a 404 page, not the login', async (t) => {
  const page = await open(t, { as: null });
  const answer = await page.goto(`${origin}/nowhere`);
  t.equal(answer?.status(), 404);
  await heading(page, 'Page not found').waitFor();
  await page.getByRole('link', { name: 'Go to the front page' }).click();
  await heading(page, H1).waitFor();
});

test('the front page takes less than 100 kB before anything is clicked', async (t) => {
  const page = await open(t, { as: null });
  const asked: Request[] = [];
  page.on('requestfinished', (request) => asked.push(request));
  await page.goto(`${origin}/`, { waitUntil: 'networkidle' });
  const sizes = await Promise.all(asked.map((request) => request.sizes()));
  const bytes = sizes.reduce((sum, of) => sum + of.responseHeadersSize + of.responseBodySize, 0);
  t.ok(asked.length >= 3, 'the page, its script and its style');
  t.ok(bytes > 1_000 && bytes < 100_000, `${bytes} bytes in ${asked.length} answers`);
});
