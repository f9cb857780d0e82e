import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { ROOT } from '../architecture/source-files.js';
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
  const web = join(ROOT, 'dist/assets/dashboard');
  const html = readFileSync(join(web, 'front.html'), 'utf8');
  const named = readdirSync(join(web, 'assets')).filter((name) => html.includes(name));
  const fonts = readdirSync(join(web, 'assets')).filter((name) => name.endsWith('.woff2'));
  const bytes = [...named, ...fonts].reduce(
    (sum, name) => sum + gzipSync(readFileSync(join(web, 'assets', name))).length,
    gzipSync(html).length,
  );
  t.ok(named.length >= 2, 'its script and its style');
  t.ok(bytes < 100_000, `${bytes} bytes`);
});
