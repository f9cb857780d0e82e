import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inRoot } from '@verdict/local-stack/paths.js';
import t from 'tap';
import { finish } from '../harness/compose.js';

const folder = t.testdir();
const make = (...args: string[]) =>
  finish(process.execPath, [inRoot('scripts/make-secrets.mjs'), folder, ...args]);
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const kids = () => JSON.parse(read('jwt_public_keys')).keys.map(({ kid }: { kid: string }) => kid);
const signs = () => JSON.parse(read('jwt_signing_key')).kid;

await make();

t.test(
  'the public keys hold the next key before it signs, and the old one until it is retired',
  async (t) => {
    const old = signs();
    t.match(await make('--use', 'jwt-signing-key'), { code: 1, stderr: /there is no next key/ });
    t.equal((await make('--rotate', 'jwt-signing-key')).code, 0);
    t.equal(signs(), old);
    t.equal(kids().length, 2);
    t.match(await make('--rotate', 'jwt-signing-key'), { code: 1, stderr: /has two keys already/ });
    t.match(await make('--retire', 'jwt-signing-key'), { code: 1, stderr: /the new key is not in use/ });
    t.equal((await make('--use', 'jwt-signing-key')).code, 0);
    t.not(signs(), old);
    t.ok(kids().includes(old) && kids().includes(signs()));
    t.equal((await make('--retire', 'jwt-signing-key')).code, 0);
    t.strictSame(kids(), [signs()]);
    t.notMatch(read('jwt_public_keys'), '"d"');
  },
);

t.test('a secret has its new and its old value while it is rotated', async (t) => {
  for (const name of ['internal-token', 'secrets-key']) {
    const file = name.replaceAll('-', '_');
    const old = read(file);
    t.equal((await make('--rotate', name)).code, 0);
    const [fresh = '', ...others] = read(file).split(',');
    t.not(fresh, old);
    t.strictSame(others, [old]);
    t.match(await make('--rotate', name), { code: 1, stderr: /has two values already/ });
    t.equal((await make('--retire', name)).code, 0);
    t.equal(read(file), fresh);
  }
  t.match(await make('--rotate', 'nonsense'), { code: 1, stderr: /nonsense is none of gateway, / });
});
