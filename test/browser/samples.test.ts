import t from 'tap';
import { runSample, SAMPLE_LANGUAGES } from '../sdk/run-sample.js';
import { heading, openDashboard } from './open-dashboard.js';

// A user copies the samples of the playground and of the reference, and each of them gives the verdict.

const { origin, account, open, test } = await openDashboard(t);
const ADDRESS = 'test@mailinator.com';

test('the samples of the playground run in every language that has a client', async (t) => {
  const page = await open(t);
  await page.goto(`${origin}/checks/new?email=${ADDRESS}`);
  await heading(page, 'Check an address').waitFor();
  for (const language of SAMPLE_LANGUAGES) {
    await page.getByText(language, { exact: true }).click();
    const shown = page.getByRole('group', { name: `The same call in code: ${language}`, exact: true });
    const code = (await shown.textContent()) ?? '';
    t.match(code, ADDRESS, `${language} checks the address of the form`);
    const printed = await runSample(t, language, code.replace('YOUR_KEY', account.apiKey));
    if (printed) t.match(printed, /^block \d+|"decision":"block"/, language);
  }
});

test('the samples of the reference run in every language that has a client', async (t) => {
  const page = await open(t, { as: null });
  await page.goto(`${origin}/docs/reference#post--api-v1-check-`);
  const operation = page.locator('[id="post--api-v1-check-"]');
  await operation.waitFor();
  for (const language of SAMPLE_LANGUAGES) {
    await operation.getByText(language, { exact: true }).click();
    const shown = operation.getByRole('group', { name: `${language}: post /api/v1/check/`, exact: true });
    const code = ((await shown.textContent()) ?? '').replace('vrd_live_…', account.apiKey);
    const printed = await runSample(t, language, code);
    if (printed) t.match(printed, /decision['"]?: ?['"](allow|challenge|review|block)['"]/, language);
  }
});
