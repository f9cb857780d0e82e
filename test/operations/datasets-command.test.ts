import { startService } from '@verdict/local-stack/start-service.js';
import t from 'tap';
import { finish } from '../harness/compose.js';

const CLI = programFile('verdict');

t.test('verdict datasets shows what a running scoring service has loaded', async (t) => {
  const scoring = await startService('scoring', { DNS_SERVERS: '127.0.0.1:9' });
  t.teardown(() => scoring.stop());
  const verdict = (...args: string[]) =>
    finish(process.execPath, [CLI, 'datasets', ...args], {
      SCORING_URLS: `${scoring.url},http://127.0.0.1:9`,
    });
  const table = await verdict();
  t.equal(table.code, 0, table.stderr);
  t.match(table.stdout, /^dataset +version +count\ndisposable_domains +\S+ +\d{6}\nfree_providers +\S+/);
  const json = JSON.parse((await verdict('--json')).stdout);
  t.match(json, [
    { dataset: 'disposable_domains', version: String, count: Number },
    { dataset: 'free_providers' },
    { dataset: 'role_prefixes' },
  ]);
});

t.test('an operator without releases is told what to do, and a key is never overwritten', async (t) => {
  const folder = t.testdir({ releases: {} });
  const verdict = (...args: string[]) =>
    finish(process.execPath, [CLI, ...args], {
      DATASETS_DIR: `${folder}/releases`,
      SCORING_URLS: 'http://127.0.0.1:9',
    });
  t.match(await verdict('datasets', 'releases'), { code: 0, stdout: /Nothing was published yet/ });
  t.match(await verdict('datasets', 'rollback'), { code: 1, stderr: /nothing was published in / });
  t.match(await verdict('datasets', 'sources'), {
    code: 0,
    stdout:
      /fakefilter-daily +disposable_domains +url +crawled +BSD-3-Clause +.*https:\/\/raw\.githubusercontent\.com\/7c/,
  });
  t.match(await verdict('explain', 'a@b.com'), {
    code: 1,
    stderr: /scoring does not answer at http:\/\/127\.0\.0\.1:9/,
  });
  t.match(await verdict('datasets', 'keygen', `${folder}/keys`), {
    code: 0,
    stdout: /DATASETS_SIGNING_KEY_FILE: /,
  });
  t.match(await verdict('datasets', 'keygen', `${folder}/keys`), { code: 1, stderr: /EEXIST/ });
  const missing = await finish(process.execPath, [CLI, 'datasets', 'update'], { DATASETS_DIR: '' });
  t.match(missing, { code: 1, stderr: /DATASETS_DIR is missing/ });
});

import { programFile } from '@verdict/local-stack/program.js';
