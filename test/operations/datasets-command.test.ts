import { fileURLToPath } from 'node:url';
import { startService } from '@verdict/local-stack/start-service.js';
import t from 'tap';
import { finish } from '../harness/compose.js';

const CLI = fileURLToPath(new URL('../../../services/operator-cli/dist/src/main.js', import.meta.url));

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
