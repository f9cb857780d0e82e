import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { deleteExpiredEntries } from '@verdict/db/lists/list-entries.js';
import { ipDigits } from '@verdict/domain/address/ip-network.js';
import { mailboxOf } from '@verdict/domain/address/mailbox-of.js';
import { parseListValue } from '@verdict/domain/list-value.js';
import { accountKey } from '@verdict/redis-store/keys.js';
import t from 'tap';
import { type Customer, startControlPlane } from './support/control-plane.js';
import { lookAt } from './support/look-at.js';
import { startStores } from './support/stores.js';

const ALLOW = '/api/v1/lists/allow/';
const BLOCK = '/api/v1/lists/block/';

const stores = await startStores(t);
const datasets = {
  disposable_domains: { count: 3, version: '2026-11-01' },
  free_providers: { version: '2026-11-01' },
  role_prefixes: { version: '2026-11-01' },
};
const scoring = createServer((_request, reply) => {
  reply.setHeader('content-type', 'application/json');
  reply.end(JSON.stringify(datasets));
});
await new Promise<void>((resolve) => scoring.listen(0, '127.0.0.1', resolve));
t.teardown(() => scoring.close());
const { port } = scoring.address() as { port: number };
const plansFile = join(t.testdir(), 'plans.json');
const free = { checks_per_month: 1_000, checks_per_second: 50, retention_days: 30, list_entries: 50 };
await writeFile(plansFile, JSON.stringify({ free, large: { ...free, list_entries: 60 } }));
const plane = await startControlPlane(t, stores, {
  PLANS_FILE: plansFile,
  // The first replica is away; the second answers.
  SCORING_URLS: `http://127.0.0.1:9, http://127.0.0.1:${port}`,
});

/** The decision of admission about a check, by the account's lists. */
async function matchOf(
  customer: Customer,
  keyId: string,
  address: string,
  ip = '',
  hosts = '',
): Promise<string> {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  const caller = { accountId: customer.accountId, keyId, credential: keyId };
  const { view, match } = await lookAt(stores.redis, caller, {
    address,
    mailbox: mailboxOf({ canonical: address, domain }),
    domain,
    ip,
    digits: ipDigits(ip),
    hosts,
  });
  if (view.state !== 'known') throw new Error(`the account is ${view.state}`);
  return match ? `${match.list}:${match.kind}:${match.value}` : '';
}

async function customerWithKey(): Promise<Customer & { keyId: string }> {
  const customer = await plane.customer();
  const { key } = (await customer.call('POST', '/api/v1/dashboard/keys/', { name: 'k' })).body;
  return { ...customer, keyId: key.id };
}

t.test('an entry holds from the moment its creation is answered until its removal is', async (t) => {
  const customer = await customerWithKey();
  const { call, keyId } = customer;
  const added = await call('POST', BLOCK, { value: ' Jane.DOE@Example.COM ', note: 'charge-back' });
  t.equal(added.status, 201);
  t.match(added.body.entry, {
    id: /^lst_/,
    list: 'block',
    kind: 'address',
    value: 'jane.doe@example.com',
    note: 'charge-back',
  });
  t.equal(await matchOf(customer, keyId, 'jane.doe@example.com'), 'block:address:jane.doe@example.com');
  const domain = await call('POST', ALLOW, { value: 'München.Example' });
  t.match(domain.body.entry, { kind: 'domain', value: 'xn--mnchen-3ya.example' });
  t.equal(
    await matchOf(customer, keyId, 'a@mail.xn--mnchen-3ya.example'),
    'allow:domain:xn--mnchen-3ya.example',
  );
  const ip = await call('POST', BLOCK, { value: '2001:DB8:0:0::1' });
  t.match(ip.body.entry, { kind: 'ip', value: '2001:db8::1' });
  t.equal(await matchOf(customer, keyId, 'x@y.example', '2001:db8::1'), 'block:ip:2001:db8::1');
  t.equal((await call('DELETE', `${BLOCK}${added.body.entry.id}/`)).status, 200);
  t.equal(await matchOf(customer, keyId, 'jane.doe@example.com'), '');
  t.equal((await call('DELETE', `${BLOCK}${added.body.entry.id}/`)).status, 404);
  t.equal((await call('DELETE', `${BLOCK}${domain.body.entry.id}/`)).status, 404, 'it is on the other list');
});

t.test('what is no address, domain or IP, or is listed already, is a 400 that says so', async (t) => {
  const { call } = await customerWithKey();
  await call('POST', ALLOW, { value: 'example.com' });
  const cases: [unknown, RegExp][] = [
    [{ value: 'hello world' }, /^value: is neither an address, a domain, an IP address nor a network/],
    [{ value: 'a@b@c' }, /^value: is neither/],
    [{ value: '1.2.3' }, /^value: is neither/],
    [{ value: '' }, /^value: /],
    [{ value: 5 }, /^value: /],
    [{}, /^value: is required/],
    [{ value: 'EXAMPLE.com.' }, /^value: is on your allow list already/],
    [{ value: 'new.example', note: 'a\nb' }, /^note: /],
    [{ value: 'new.example', kind: 'ip' }, /^kind: is not a known field/],
  ];
  for (const [body, error] of cases) {
    const answer = await call('POST', BLOCK, body);
    t.equal(answer.status, 400, JSON.stringify(body));
    t.match(answer.body.error, error);
  }
  t.equal((await call('GET', BLOCK)).body.total, 0);
});

t.test('a mail server is listed by host or domain, and one that many share only by force', async (t) => {
  const customer = await customerWithKey();
  const { call, keyId } = customer;
  const server = 'mx1.bad.net decoy.example';
  const added = await call('POST', BLOCK, { mx: ' MX1.Bad.NET. ' });
  t.equal(added.status, 201);
  t.match(added.body.entry, { kind: 'domain', match: 'mx', value: 'mx1.bad.net' });
  t.equal(await matchOf(customer, keyId, 'a@x.example', '', server), 'block:mx:mx1.bad.net');
  t.equal((await call('DELETE', `${BLOCK}${added.body.entry.id}/`)).status, 200);
  t.equal(await matchOf(customer, keyId, 'a@x.example', '', server), '');
  t.equal((await call('POST', BLOCK, { value: 'bad.net' })).status, 201, 'the domain itself');
  t.equal((await call('POST', BLOCK, { value: 'bad.net', match: 'mx' })).status, 201, 'and its servers');
  t.equal(await matchOf(customer, keyId, 'a@x.example', '', server), 'block:mx:bad.net');
  const cases: [unknown, RegExp][] = [
    [{ mx: 'aspmx.l.google.com' }, /^mx: is a mail server that many unrelated domains share; set force/],
    [{ mx: 'outlook.com' }, /^mx: is a mail server that many/],
    [{ value: 'mx.yandex.net', match: 'mx' }, /^value: is a mail server that many/],
    [{ mx: 'co.uk' }, /^mx: is an ending under which anybody registers names; set force/],
    [{ mx: '203.0.113.7' }, /^mx: is not the name of a mail server/],
    [{ mx: 'a@b.example' }, /^mx: is not the name of a mail server/],
    [{ mx: 'a.example', value: 'a.example' }, /^mx: goes without a value/],
    [{ mx: 'a.example', match: 'exact' }, /^match: must be mx beside a mail server/],
    [{ mx: 'bad.net' }, /^mx: is on your block list already/],
  ];
  for (const [body, error] of cases) {
    const answer = await call('POST', BLOCK, body);
    t.equal(answer.status, 400, JSON.stringify(body));
    t.match(answer.body.error, error);
  }
  t.equal((await call('POST', BLOCK, { mx: 'yandex.net', force: true })).status, 201);
  const rows = [{ mx: 'mx.good.example' }, { value: 'mx2.good.example', match: 'mx' }, { mx: 'google.com' }];
  const imported = await call('POST', `${ALLOW}import/`, { entries: rows });
  t.match(imported.body, { added: 2, errors: [{ row: 3, message: /^is a mail server that many/ }] });
  t.equal(
    await matchOf(customer, keyId, 'a@x.example', '', 'mx.good.example mx2.good.example'),
    'allow:mx:mx.good.example',
  );
  const shared = await call('GET', `${BLOCK}impact/?mx=aspmx.l.google.com`);
  t.match(shared.body, { kind: 'domain', match: 'mx', shared: true, checks: 0 });
});

t.test(
  'an import takes the good rows, names the bad ones and fills the list to its limit exactly',
  async (t) => {
    const customer = await customerWithKey();
    const { call, keyId } = customer;
    await call('POST', BLOCK, { value: 'taken.example' });
    const entries = [
      'a.example',
      { value: 'b@b.example', note: 'note' },
      'not valid',
      'A.EXAMPLE',
      'taken.example',
      { note: 'no value' },
      7,
      { value: 'c.example', note: 'x'.repeat(201) },
      '192.0.2.1',
    ];
    const answer = await call('POST', `${ALLOW}import/`, { entries });
    t.equal(answer.status, 200);
    t.match(answer.body, { success: true, added: 3, unchanged: 1 });
    t.same(
      answer.body.errors.map(({ row }: { row: number }) => row),
      [3, 5, 6, 7, 8],
    );
    t.match(answer.body.errors[1].message, /block list/);
    t.equal(await matchOf(customer, keyId, 'b@b.example'), 'allow:address:b@b.example');
    const again = await call('POST', `${ALLOW}import/`, { entries: ['a.example', '192.0.2.1'] });
    t.match(again.body, { added: 0, unchanged: 2, errors: [] });

    const many = (count: number, name: string) =>
      Array.from({ length: count }, (_, i) => `${name}${i}.example`);
    const racing = await Promise.all([
      call('POST', `${ALLOW}import/`, { entries: many(30, 'x') }),
      call('POST', `${ALLOW}import/`, { entries: many(30, 'y') }),
    ]);
    t.same(racing.map(({ status }) => status).sort(), [200, 400], 'only one of them fits');
    t.equal((await call('GET', ALLOW)).body.total, 33);
    t.equal((await call('POST', `${ALLOW}import/`, { entries: many(17, 'z') })).status, 200);
    const full = await call('POST', ALLOW, { value: 'one-more.example' });
    t.match(full, {
      status: 400,
      body: { error: /holds 50 entries/, upgrade_url: '/api/v1/billing/subscription/' },
    });
    t.equal(
      await stores.redis.hget(accountKey(customer.accountId, 1), 'lists'),
      '51',
      'both lists, in Redis',
    );
  },
);

t.test('a list is imported as the file that another account exported', async (t) => {
  const from = await plane.customer();
  const notes = ['=1+1', 'a "quoted", note', ''];
  const values = ['+tagged@formula.example', 'quoted.example', '192.0.2.7'];
  const entries = values.map((value, i) => ({ value, note: notes[i] }));
  t.equal((await from.call('POST', `${BLOCK}import/`, { entries })).body.added, 3);
  const { text } = await from.call('GET', `${BLOCK}export.csv`);
  const to = await plane.customer();
  const csv = { 'content-type': 'text/csv; charset=utf-8' };
  const taken = await to.call('POST', `${BLOCK}import/`, `\uFEFF${text}`, csv);
  t.match(taken, { status: 200, body: { added: 3, unchanged: 0, errors: [] } });
  const pick = ({ value, kind, note }: Record<string, unknown>) => `${value} ${kind} ${note}`;
  t.same(
    (await to.call('GET', BLOCK)).body.entries.map(pick).sort(),
    (await from.call('GET', BLOCK)).body.entries.map(pick).sort(),
  );

  const bare = await to.call('POST', `${ALLOW}import/`, 'one.example;why\nnot valid\n\ntwo.example\n', csv);
  t.match(bare.body, { added: 2, errors: [{ row: 2, value: 'not valid' }] }, 'a header is not needed');
  for (const [file, error] of [
    ['', /entries/],
    ['value,note\n', /entries/],
    ['value\n"a.example\n', /its CSV is broken/],
    [Buffer.from([0x76, 0xff, 0x0a]), /not text in UTF-8/],
  ] as const)
    t.match(await to.call('POST', `${ALLOW}import/`, file, csv), { status: 400, body: { error } });
  t.equal((await to.call('POST', ALLOW, 'value\nc.example', csv)).status, 415, 'no other route takes a file');
});

t.test('racing edits of one list leave in Redis exactly what Postgres has', async (t) => {
  const customer = await customerWithKey();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) => customer.call('POST', BLOCK, { value: `race${i}.example` })),
  );
  t.ok(answers.every(({ status }) => status === 201));
  const { keyId, accountId } = customer;
  for (let i = 0; i < 40; i++) {
    t.equal(await matchOf(customer, keyId, `a@race${i}.example`), `block:domain:race${i}.example`);
  }
  await Promise.all(answers.map(({ body }) => customer.call('DELETE', `${BLOCK}${body.entry.id}/`)));
  t.equal(await stores.redis.hget(accountKey(accountId, 1), 'lists'), '0');
});

t.test('pages follow each other without a gap, and the export has everything', async (t) => {
  const { call } = await plane.customer();
  const entries = Array.from({ length: 25 }, (_, i) => `page${i}.example`);
  await call('POST', `${BLOCK}import/`, { entries });
  await call('POST', BLOCK, { value: 'formula.example', note: '=1+1' });
  const seen: string[] = [];
  let cursor = '';
  for (let pages = 0; pages < 10; pages++) {
    const { body } = await call('GET', `${BLOCK}?limit=10${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.entries.map(({ value }: { value: string }) => value));
    t.equal(body.has_more, body.next_cursor !== null);
    if (!body.has_more) break;
    cursor = body.next_cursor;
  }
  t.equal(new Set(seen).size, 26);
  t.equal(seen.length, 26);
  t.equal(seen[0], 'formula.example', 'newest first');
  t.equal((await call('GET', `${BLOCK}?search=page1`)).body.entries.length, 11);
  const csv = await call('GET', `${BLOCK}export.csv`);
  t.match(csv.headers['content-type'], /^text\/csv/);
  t.equal(csv.text.trim().split('\r\n').length, 27);
  t.match(csv.text, /formula\.example,domain,exact,'=1\+1,/);
  for (const limit of ['0', '501', 'x', '1.5', '']) {
    t.equal((await call('GET', `${BLOCK}?limit=${limit}`)).status, 400, `limit ${limit}`);
  }
});

t.test('the datasets are those that scoring has loaded', async (t) => {
  const { call } = await plane.customer();
  t.same((await call('GET', '/api/v1/lists/datasets/')).body, { success: true, datasets });
  t.equal((await call('GET', '/api/v1/lists/other/')).status, 404);
});

t.test('the kind of a value is inferred and its spelling made one', async (t) => {
  const entries = [
    ['@Example.com', 'domain', 'example.com'],
    ['example.com.', 'domain', 'example.com'],
    [' 192.0.2.1 ', 'ip', '192.0.2.1'],
    ['2001:db8::0001', 'ip', '2001:db8::1'],
    ['"a b"@example.com', 'address', '"a b"@example.com'],
  ] as const;
  for (const [text, kind, value] of entries)
    t.same(parseListValue(text), { ok: true, entry: { kind, match: 'exact', value } });
});

t.test('an entry for a mailbox holds for every spelling, beside one for the address itself', async (t) => {
  const customer = await customerWithKey();
  const { call, keyId } = customer;
  const blocked = await call('POST', BLOCK, { value: 'B.o.b+news@googlemail.com', match: 'mailbox' });
  t.equal(blocked.status, 201);
  t.match(blocked.body.entry, {
    kind: 'address',
    match: 'mailbox',
    value: 'bob@gmail.com',
    expires_at: null,
  });
  t.equal(await matchOf(customer, keyId, 'bo.b+2@gmail.com'), 'block:mailbox:bob@gmail.com');
  t.equal(
    (await call('POST', ALLOW, { value: 'bob@gmail.com' })).status,
    201,
    'the exact one is another entry',
  );
  t.equal(await matchOf(customer, keyId, 'bob@gmail.com'), 'allow:address:bob@gmail.com');
  t.match((await call('POST', ALLOW, { value: 'b.ob@gmail.com', match: 'mailbox' })).body, {
    error: 'value: is on your block list already',
  });
  t.match((await call('POST', ALLOW, { value: 'gmail.com', match: 'mailbox' })).body, {
    error: 'value: is not an address, so it has no mailbox',
  });
  t.equal((await call('POST', ALLOW, { value: 'a@b.example', match: 'all' })).status, 400);
  await call('DELETE', `${BLOCK}${blocked.body.entry.id}/`);
  t.equal(await matchOf(customer, keyId, 'bo.b+2@gmail.com'), '');
});

t.test('networks are listed with all their host bits zero, and not wider than /8 and /16', async (t) => {
  const customer = await customerWithKey();
  const { call, keyId } = customer;
  const wide = await call('POST', BLOCK, { value: '203.0.113.0/24' });
  t.match(wide.body.entry, { kind: 'network', value: '203.0.113.0/24' });
  const narrow = await call('POST', ALLOW, { value: '203.0.113.64/26' });
  await call('POST', BLOCK, { value: '2001:DB8:0::/32' });
  const of = (ip: string) => matchOf(customer, keyId, 'a@b.example', ip);
  t.equal(await of('203.0.113.7'), 'block:network:203.0.113.0/24');
  t.equal(await of('203.0.113.65'), 'allow:network:203.0.113.64/26');
  t.equal(await of('2001:db8:ffff::1'), 'block:network:2001:db8::/32');
  await call('DELETE', `${ALLOW}${narrow.body.entry.id}/`);
  t.equal(await of('203.0.113.65'), 'block:network:203.0.113.0/24');
  await call('DELETE', `${BLOCK}${wide.body.entry.id}/`);
  t.equal(await of('203.0.113.7'), '');
  for (const [value, message] of [
    ['203.0.113.7/24', /has bits beyond its length; write 203\.0\.113\.0\/24/],
    ['10.0.0.0/7', /is too wide; IPv4 networks start at \/8/],
    ['2001::/15', /has bits|is too wide/],
    ['203.0.113.0/33', /neither/],
    ['203.0.113.0/', /neither/],
    ['example.com/24', /neither/],
  ] as const) {
    const refused = await call('POST', BLOCK, { value });
    t.equal(refused.status, 400, value);
    t.match(refused.body.error, message, value);
  }
});

t.test('a seventeenth prefix length of a family is refused, alone and in an import', async (t) => {
  const { call } = await customerWithKey();
  const network = (length: number) => `10.0.0.0/${length}`;
  const rows = Array.from({ length: 20 }, (_, i) => network(i + 8));
  const { body } = await call('POST', `${BLOCK}import/`, { entries: rows });
  t.match(body, { added: 16, errors: { length: 4 } });
  t.match(body.errors[0], { row: 17, value: network(24), message: /^has a new prefix length/ });
  t.match(await call('POST', ALLOW, { value: '10.0.0.0/28' }), {
    status: 400,
    body: { errors: [{ field: 'value', message: /16 lengths already/ }] },
  });
  t.equal((await call('POST', ALLOW, { value: '192.0.2.0/23' })).status, 201, 'a length in use');
  t.equal((await call('POST', ALLOW, { value: '2001:db8::/64' })).status, 201, 'the other family');
});

t.test('a list holds 64 characters for each of its entries, in imports too', async (t) => {
  const { call } = await customerWithKey();
  const name = (i: number) => `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(30)}${i}.example`;
  const entries = Array.from({ length: 30 }, (_, i) => name(i));
  const refused = await call('POST', `${BLOCK}import/`, { entries });
  t.match(refused, { status: 400, body: { error: /50 entries with 3200 characters at most/ } });
  t.equal((await call('POST', `${BLOCK}import/`, { entries: entries.slice(0, 19) })).body.added, 19);
  t.match(await call('POST', BLOCK, { value: name(20) }), {
    status: 400,
    body: { error: /50 entries with 3200 characters at most on your plan/ },
  });
  t.equal((await call('POST', BLOCK, { value: 'short.example' })).status, 201);
});

t.test('a domain of more than nine labels is refused', async (t) => {
  const { call } = await customerWithKey();
  const name = (labels: number) => `${'a.'.repeat(labels - 1)}example`;
  t.equal((await call('POST', BLOCK, { value: name(9) })).status, 201);
  t.match(await call('POST', BLOCK, { value: name(10) }), {
    status: 400,
    body: { error: 'value: has more than 9 labels; list a parent domain' },
  });
});

t.test('an entry expires, is shown as expired for thirty days, and may be added again', async (t) => {
  const customer = await customerWithKey();
  const { call, keyId, accountId } = customer;
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const added = await call('POST', BLOCK, { value: 'brief.example', expires_at: inAnHour });
  t.equal(Date.parse(added.body.entry.expires_at), Date.parse(inAnHour));
  t.equal(await matchOf(customer, keyId, 'a@brief.example'), 'block:domain:brief.example');
  t.equal(
    (await call('POST', BLOCK, { value: 'late.example', expires_at: '2020-01-01T00:00:00Z' })).status,
    400,
  );
  t.equal((await call('POST', BLOCK, { value: 'late.example', expires_at: 'soon' })).status, 400);
  const endedDaysAgo = (days: number) =>
    stores.db.listEntry.updateMany({
      where: { accountId },
      data: { expiresAt: new Date(Date.now() - days * 86_400_000) },
    });
  await endedDaysAgo(29);
  await deleteExpiredEntries(stores.db);
  t.equal((await call('GET', BLOCK)).body.entries.length, 1, 'shown');
  t.equal(
    (await call('POST', ALLOW, { value: 'brief.example' })).status,
    201,
    'in the place of the expired one',
  );
  t.equal(await matchOf(customer, keyId, 'a@brief.example'), 'allow:domain:brief.example');
  await endedDaysAgo(31);
  t.equal(await deleteExpiredEntries(stores.db), 1);
  t.equal((await call('GET', ALLOW)).body.total, 0);
});

t.test('an export with mailboxes, networks and ends imports as it was', async (t) => {
  const { call } = await plane.customer();
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const entries = [
    { value: 'bob@gmail.com', match: 'mailbox', note: 'four accounts' },
    { value: 'bob@gmail.com' },
    { value: '198.51.100.0/24', expires_at },
    { value: '198.51.100.1/24' },
    { value: 'x.example', match: 'mailbox' },
    { value: 'y.example', match: 'some' },
    { value: 'z.example', expires_at: '2020-01-01' },
  ];
  const imported = (await call('POST', `${BLOCK}import/`, { entries })).body;
  t.match(imported, { added: 3, unchanged: 0 });
  t.strictSame(
    imported.errors.map(({ row }: { row: number }) => row),
    [4, 5, 6, 7],
  );
  const { text } = await call('GET', `${BLOCK}export.csv`);
  const other = await plane.customer();
  const sent = await other.call('POST', `${BLOCK}import/`, text, { 'content-type': 'text/csv' });
  t.match(sent.body, { added: 3, errors: [] });
  const again = (await other.call('GET', `${BLOCK}export.csv`)).text;
  const withoutDates = (csv: string) =>
    csv
      .split('\r\n')
      .map((row) => row.replace(/,[^,]*$/, ''))
      .sort();
  t.strictSame(withoutDates(again), withoutDates(text));
});
