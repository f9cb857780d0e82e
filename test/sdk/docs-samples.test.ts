import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { KEY_SCOPES } from '@verdict/domain/key-words.js';
import { http } from '@verdict/local-stack/http.js';
import { inRoot } from '@verdict/local-stack/paths.js';
import { startStack } from '@verdict/local-stack/start-stack.js';
import { Verdict, VerdictError } from '@verdict/sdk';
import t from 'tap';
import { findProgram } from '../../scripts/lib/system-programs.mjs';
import { runSample, type SampleLanguage } from './run-sample.js';

// A stranger pastes the commands and samples of the docs, in their order, and each of them works.

const run = promisify(execFile);
const stack = await startStack({ workers: 1 });
t.teardown(() => stack.stop());
const [api = ''] = stack.baseUrls;
const origin = api.slice(0, api.indexOf('/api/'));

/** An account and its keys as the pages tell their readers to make them. */
async function reader() {
  const { email, password } = await stack.createAccount('scale');
  const login = await http<{ access: string }>(`${api}auth/jwt/create/`, { json: { email, password } });
  const headers = { authorization: `Bearer ${login.body.access}` };
  const make = async (json: object) =>
    (await http<{ api_key: string }>(`${api}dashboard/keys/`, { headers, json })).body.api_key;
  const key = await make({ name: 'Reader', scopes: KEY_SCOPES });
  return { email, password, token: login.body.access, key, make };
}
type Reader = Awaited<ReturnType<typeof reader>>;

const blocksOf = (page: string, language: string): string[] =>
  [
    ...readFileSync(inRoot(page), 'utf8').matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g')),
  ].map(([, text = '']) => text);

const day = (fromNow: number) => new Date(Date.now() + fromNow * 86_400_000).toISOString();

/** With this server, this reader and today in place of those of the page. */
const asReader = (text: string, { email, password, key }: Reader): string =>
  text
    .replace(/https:\/\/YOUR-VERDICT|(?:http:\/\/)?localhost:8080/g, origin)
    .replaceAll('vrd_live_…', key)
    .replace(/"email": ?"[^"]*", ?"password": ?"…"/, JSON.stringify({ email, password }).slice(1, -1))
    .replace(/(?<="expires_at": ?")[^"]*/, day(1))
    .replace(/(?<="from": ?")[\d-]{10}/, day(-30).slice(0, 10))
    .replace(/(?<="to": ?")[\d-]{10}/, day(0).slice(0, 10))
    .replace('/policies/3/', '/policies/1/')
    .replace(
      /\$JOB|\b(?:job|bkt)_(?:…|01K\.\.\.)/g,
      (id) => `$(last ${id.startsWith('bkt') ? 'bkt' : 'job'})`,
    );

/** A file that is still being made is asked for again; whatever else is refused ends the block. */
const SHELL = `set -euo pipefail
curl() { command curl -sS --fail-with-body --retry 30 --retry-delay 1 --retry-all-errors "$@" | tee last.txt; }
last() { grep -om1 "$1_[0-9A-Z]\\{26\\}" last.txt; }
`;

const curl = await findProgram(['curl'], 'curl').catch(() => null);
const GUIDES = readdirSync(inRoot('docs/guides')).map((name) => `docs/guides/${name}`);
const OTHERS = ['bulk', 'dashboard-api', 'policies', 'webhooks'].map((name) => `docs/${name}.md`);

for (const page of ['README.md', ...GUIDES, ...OTHERS]) {
  const blocks = blocksOf(page, 'sh').filter((block) => /\bcurl\b/.test(block));
  if (blocks.length === 0) continue;
  if (!curl) {
    t.comment(`SKIPPED: ${page}: curl is not on this machine`);
    continue;
  }
  t.test(`${page}: its commands answer as a reader expects`, async (t) => {
    const one = await reader();
    const cwd = t.testdir({
      'people.csv': 'email,name\njane@example.com,Jane\ntest@mailinator.com,Test\n',
      'block-list.csv': 'value,note\nthrowaway.example,tried\n',
      'last.txt': '',
    });
    const env = { ...process.env, KEY: one.key, TOKEN: one.token };
    for (const block of blocks) {
      const ending = await run('bash', ['-c', SHELL + asReader(block, one)], { cwd, env }).then(
        () => 'success',
        ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}\n${stderr}`,
      );
      t.equal(ending, 'success', block);
    }
  });
}

const VERDICT = /^block 90\b/;

/** Pages whose first block of a language is a whole program. */
const PROGRAMS = {
  Node: { language: 'ts', pages: ['README.md', 'docs/integrate.md', 'packages/sdk/README.md'] },
  Python: { language: 'python', pages: ['docs/integrate.md', 'clients/python/README.md'] },
  PHP: { language: 'php', pages: ['docs/integrate.md', 'clients/php/README.md'] },
} as const;

for (const [name, { language, pages }] of Object.entries(PROGRAMS)) {
  t.test(`the ${name} samples run`, async (t) => {
    const one = await reader();
    for (const page of pages) {
      const [sample = ''] = blocksOf(page, language);
      const printing =
        name === 'Node' && !sample.includes('console.log') ? "console.log(decision, '90');" : '';
      const printed = await runSample(t, name as SampleLanguage, asReader(sample, one) + printing);
      if (printed) t.match(printed, VERDICT, page);
    }
  });
}

t.test('slow@ triggers the fallback of a client that waits 1,500 ms', async (t) => {
  const apiKey = await (await reader()).make({ name: 'CI', mode: 'test' });
  const verdict = new Verdict({ apiKey, baseUrl: api, fallback: 'challenge', deadlineMs: 1_500 });
  const { decision, fallback } = await verdict.check('slow@test.verdict.example');
  t.match({ decision, fallback }, { decision: 'challenge', fallback: VerdictError });
});
