import t from 'tap';
import type { ApiKey } from '../src/api/keys.ts';
import { findCommands } from '../src/shell/find-commands.ts';

const ULID = '01K8YJ3T9GQ0VZ4M5N6P7R8S9T';
const key = { id: `key_${ULID}`, name: 'CI, nightly', prefix: 'vrd_test_4Q8Z', mode: 'test' } as ApiKey;
const hrefs = (text: string) => findCommands(text, [key], 'owner').map(({ href }) => href);

t.test('an empty palette lists the pages, and typing finds pages and keys', async (t) => {
  t.ok(hrefs('').includes('/billing'));
  t.strictSame(hrefs('invoi'), ['/billing', '/checks?q=invoi'], 'or an address begins so');
  t.strictSame(hrefs('nightly'), [`/checks?key=key_${ULID}&mode=test`, '/checks?q=nightly']);
  t.strictSame(
    hrefs('vrd_test_4Q8Zsecret'),
    [`/checks?key=key_${ULID}&mode=test`],
    'a pasted key names itself',
  );
  t.strictSame(hrefs('no such thing'), []);
});

t.test('addresses, domains, IPs and ids lead to what they name', async (t) => {
  t.strictSame(hrefs('jane@example.com'), [
    '/checks?q=jane%40example.com',
    '/checks/new?email=jane%40example.com',
  ]);
  t.strictSame(hrefs('mailinator.com'), ['/checks?q=mailinator.com']);
  t.strictSame(hrefs('203.0.113.7'), ['/checks?q=203.0.113.7']);
  t.strictSame(hrefs(`log_${ULID}`), [`/checks/log_${ULID}`]);
  t.strictSame(hrefs(`req_${ULID}`), [`/checks?q=req_${ULID}`]);
  t.strictSame(hrefs(`job_${ULID}`), [`/bulk/job_${ULID}`]);
});

t.test('a role is led to pages that it opens, and nowhere else', async (t) => {
  const forBilling = (text: string) => findCommands(text, [key], 'billing').map(({ href }) => href);
  t.strictSame(
    forBilling('').filter((href) => ['/checks', '/developers/keys', '/billing'].includes(href)),
    ['/billing'],
  );
  t.strictSame(forBilling('jane@example.com'), []);
});
