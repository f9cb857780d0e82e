import t from 'tap';
import { findSections } from '../src/pages/docs/find-sections.ts';
import type { Operation } from '../src/pages/reference/operations.ts';
import { requestSamples } from '../src/pages/reference/request-samples.ts';
import { toGuide } from '../vite/markdown.ts';

const guide = toGuide(
  '# Errors\n\nEvery error has a `code`. See [Limits](limits.md).\n\n## Retry safely\n\nBack off <now>.\n\n```sh\ncurl "a" & <b>\n```\n',
);

t.test('a guide keeps its title, its anchors and its links', async (t) => {
  t.equal(guide.title, 'Errors');
  t.match(guide.html, '<h2 id="retry-safely">Retry safely</h2>');
  t.match(guide.html, '<a href="/docs/limits">Limits</a>');
  t.match(guide.html, 'curl "a" &amp; &lt;b&gt;');
});

t.test('links between files lead to pages, and those without a page are text', async (t) => {
  const { html } = toGuide(
    '# A\n\n[n](../packages/sdk/README.md) [q](guides/quickstart.md#x) [d](dashboard-api.md#caps) [h](#y) [w](https://b.example)\n',
  );
  t.match(html, '<a href="/docs/node">n</a> <a href="/docs/quickstart#x">q</a> d <a href="#y">h</a>');
  t.match(html, '<a href="https://b.example">w</a>');
  const recipes = toGuide('# R\n\n[b](../better-auth/README.md) [d](devise.rb)\n').html;
  t.match(recipes, '<a href="/docs/better-auth">b</a> <a href="/sdk/recipes/devise.rb">d</a>');
});

t.test('the search finds sections that hold every word, headings first', async (t) => {
  const guides = { limits: toGuide('# Limits\n\nWait before you retry.\n'), errors: guide };
  t.strictSame(
    findSections(guides, ' RETRY ').map(({ guide, id }) => `${guide}#${id}`),
    ['errors#retry-safely', 'limits#limits'],
  );
  t.strictSame(
    findSections(guides, 'retry wait').map(({ title }) => title),
    ['Limits'],
  );
  t.strictSame(findSections(guides, '  '), []);
});

t.test('samples carry the credential and the body of the operation', async (t) => {
  const operation: Operation = {
    id: 'x',
    method: 'post',
    path: '/api/v1/check/',
    tag: 'checks',
    auth: 'apiKey',
  };
  const samples = requestSamples(operation, 'https://verdict.test', {
    email: "o'neil@example.com",
    dry: true,
  });
  t.equal(
    samples.curl,
    `curl -s -X POST 'https://verdict.test/api/v1/check/' \\
  -H 'X-API-Key: vrd_live_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"email":"o'\\''neil@example.com","dry":true}'`,
  );
  t.match(samples.PHP, `CURLOPT_POSTFIELDS => '{"email":"o\\'neil@example.com","dry":true}'`);
  t.match(samples.Python, `json.dumps({"email":"o'neil@example.com","dry":True})`);
  const open = requestSamples({ ...operation, method: 'get', auth: 'none' }, '', undefined);
  t.equal(open.curl, "curl -s '/api/v1/check/'");
  t.notMatch(open.Node, 'headers');
});
