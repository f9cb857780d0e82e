import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { JOB_CODES } from '@verdict/contracts/jobs-api.js';
import { readFileParts, type TakenFile, takeStoredFile } from '@verdict/db/bulk/bulk-file.js';
import { putBack } from '@verdict/db/work/lease.js';
import { runWork } from '@verdict/db/work/run-work.js';
import { eventually } from '@verdict/local-stack/eventually.js';
import { createLogger } from '@verdict/service-kit/logger.js';
import t from 'tap';
import { fileWork } from '../src/jobs/file-work.js';
import { storeUpload } from '../src/jobs/store-upload.js';
import { type Call, callerOf, startControlPlane } from './support/control-plane.js';
import { startStores } from './support/stores.js';

const PLANS = {
  free: { checks_per_month: 1_000, checks_per_second: 50, bulk_rows_max: 2_500, retention_days: 30 },
  large: { checks_per_month: 1_000, checks_per_second: 50, bulk_rows_max: 5_000, retention_days: 30 },
};
const plansFile = join(t.testdir(), 'plans.json');
await writeFile(plansFile, JSON.stringify(PLANS));
const stores = await startStores(t);
const plane = await startControlPlane(t, stores, { PLANS_FILE: plansFile });

const CSV = { 'content-type': 'text/csv' };
const NDJSON = { 'content-type': 'application/x-ndjson' };
const GZIPPED = { ...CSV, 'content-encoding': 'gzip' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** A new account with a key, speaking by that key. */
async function account() {
  const owner = await plane.customer();
  const { key, api_key } = (await owner.call('POST', '/api/v1/dashboard/keys/', { name: 'bulk' })).body;
  const call: Call = callerOf(plane.app, { 'x-api-key': api_key });
  const upload = (body: string | Buffer, headers: Record<string, string> = CSV, query = '') =>
    call('POST', `/api/v1/jobs/${query}`, body, headers);
  return { owner, keyId: key.id as string, apiKey: api_key as string, call, upload };
}
type Account = Awaited<ReturnType<typeof account>>;

/** The rows of a job as the account gets them back. */
async function ndjson({ call }: Account, id: string): Promise<Record<string, unknown>[]> {
  const answer = await call('GET', `/api/v1/jobs/${id}/results.ndjson`);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

t.test('a CSV file becomes a job that says what is in it and what it costs', async (t) => {
  const own = await account();
  const file =
    'id,Email,city\r\n1,jane@gmail.com,"Rome, IT"\r\n2,JANE@gmail.com,x\r\n3,nobody,\r\n4,,\r\n5,joe@gmail.com\r\n';
  const answer = await own.upload(file, CSV, '?name=people.csv');
  t.equal(answer.status, 202, answer.text);
  t.match(answer.body.job, {
    id: /^job_/,
    status: 'ready',
    api_key_id: own.keyId,
    name: 'people.csv',
    format: 'csv',
    columns: ['id', 'Email', 'city'],
    column: 'Email',
    rows: 5,
    distinct: 2,
    malformed: 2,
    duplicates: 1,
    done: 0,
    quote: { checks_needed: 2, quota_left: 1_000, expected_seconds: 1 },
    paused_because: null,
  });
  const { id } = answer.body.job;
  t.same((await own.call('GET', `/api/v1/jobs/${id}/`)).body.job, answer.body.job);
  t.same((await own.call('GET', '/api/v1/jobs/')).body.jobs, [answer.body.job]);

  const csv = await own.call('GET', `/api/v1/jobs/${id}/results.csv`);
  t.equal(
    csv.text,
    [
      'id,Email,city,decision,risk_score,disposable_email,mx_valid,free_provider,reasons,log_id,error',
      '1,jane@gmail.com,"Rome, IT",,,,,,,,',
      '2,JANE@gmail.com,x,,,,,,,,',
      '3,nobody,,,,,,,,,an email address needs an @ between mailbox and domain',
      '4,,,,,,,,,,an email address is missing',
      '5,joe@gmail.com,,,,,,,,,',
      '',
    ].join('\r\n'),
  );
});

t.test('semicolons, tabs, byte order marks, UTF-16 and files without a header are understood', async (t) => {
  const own = await account();
  const files: [string, Buffer, object][] = [
    [
      'semicolons',
      Buffer.from('name;e-mail\n"a;b";a@gmail.com\n'),
      { columns: ['name', 'e-mail'], column: 'e-mail' },
    ],
    ['tabs', Buffer.from('mail\tname\na@gmail.com\tx\n'), { columns: ['mail', 'name'], column: 'mail' }],
    ['BOM', Buffer.from('\uFEFFemail\na@gmail.com\n'), { columns: ['email'] }],
    [
      'UTF-16',
      Buffer.from('\uFEFFemail;Straße\na@gmail.com;ß\n', 'utf16le'),
      { columns: ['email', 'Straße'] },
    ],
    ['no header', Buffer.from('a@gmail.com\nb@gmail.com\n'), { columns: ['column_1'], rows: 2 }],
    [
      'a quoted header',
      Buffer.from('"first, last","Email Address"\n"x",a@gmail.com\n'),
      { column: 'Email Address' },
    ],
  ];
  for (const [name, file, shape] of files) {
    const { status, body, text } = await own.upload(file);
    t.equal(status, 202, text);
    t.match(body.job, { distinct: name === 'no header' ? 2 : 1, malformed: 0, ...shape }, name);
    t.equal((await own.call('DELETE', `/api/v1/jobs/${body.job.id}/`)).status, 200);
  }
  const excel = await own.upload(files[2]?.[1] ?? '');
  const back = await own.call('GET', `/api/v1/jobs/${excel.body.job.id}/results.csv`);
  t.ok(back.text.startsWith('\uFEFFemail,decision'), 'who sent a mark gets one back');
});

t.test('every mix of line ends gives every row, and its last cell without them', async (t) => {
  const own = await account();
  for (const ends of ['\r\n\n\r\n\n', '\n\r\n\r\n', '\r\r\r', '\r\n\r\n\n', '\r\n\r'].map(
    (each) => each.match(/\r\n|\n|\r/g) ?? [],
  )) {
    const lines = ['name,email', 'x,a@gmail.com', '"y\nz",b@gmail.com', 'w,c@gmail.com'];
    const file = lines.map((line, i) => line + (ends[i % ends.length] ?? '')).join('');
    const { body, text } = await own.upload(file);
    t.match(body.job, { rows: 3, distinct: 3, malformed: 0 }, `${JSON.stringify(ends)}: ${text}`);
    const rows = await ndjson(own, body.job.id);
    t.strictSame(
      rows.map(({ name, email }) => [name, email]),
      [
        ['x', 'a@gmail.com'],
        ['y\nz', 'b@gmail.com'],
        ['w', 'c@gmail.com'],
      ],
    );
    const csv = (await own.call('GET', `/api/v1/jobs/${body.job.id}/results.csv`)).text;
    t.ok(csv.includes('"y\nz",b@gmail.com'), 'a cell with a line end is quoted');
    await own.call('DELETE', `/api/v1/jobs/${body.job.id}/`);
  }
});

t.test('a sep= line is skipped, Windows-1252 is read, and a second address column is named', async (t) => {
  const own = await account();
  const windows = Buffer.from('email;Stra\xdfe;Preis\r\na@gmail.com;M\xfcller;5 \x80\r\n', 'latin1');
  const told = { 'content-type': 'text/csv; charset=ISO-8859-1' };
  const cases: [string, string | Buffer, Record<string, string>, object][] = [
    ['sep=', 'sep=;\r\nname;email\r\nx,y;a@gmail.com\r\n', CSV, { columns: ['name', 'email'], rows: 1 }],
    ['any separator', 'sep=|\nname|email\nx|a@gmail.com\n', CSV, { columns: ['name', 'email'], rows: 1 }],
    ['evident', windows, CSV, { columns: ['email', 'Straße', 'Preis'] }],
    ['declared', windows, told, { columns: ['email', 'Straße', 'Preis'] }],
    [
      'two columns',
      'Work E-Mail,email\nb@gmail.com,a@gmail.com\n',
      CSV,
      { column: 'email', other_columns: ['Work E-Mail'] },
    ],
    ['one column', 'name,email\nx,a@gmail.com\n', CSV, { other_columns: [] }],
  ];
  for (const [name, file, headers, shape] of cases) {
    const { status, body, text } = await own.upload(file, headers);
    t.equal(status, 202, `${name}: ${text}`);
    t.match(body.job, { distinct: 1, malformed: 0, ...shape }, name);
    if (file === windows) {
      const back = (await own.call('GET', `/api/v1/jobs/${body.job.id}/results.csv`)).text;
      t.match(
        back,
        /^\uFEFFemail;Straße;Preis;decision.*\r\na@gmail\.com;Müller;5 €;/,
        'results are UTF-8 with a mark',
      );
    }
    await own.call('DELETE', `/api/v1/jobs/${body.job.id}/`);
  }
});

t.test('NDJSON and JSON arrays keep every member as it was written', async (t) => {
  const own = await account();
  const lines =
    '{"email":"a@gmail.com","n":12345678901234567890}\n"b@gmail.com"\n\n{"email":7}\n[1]\nnot json\n';
  const job = (await own.upload(lines, NDJSON)).body.job;
  t.match(job, { format: 'ndjson', rows: 5, distinct: 2, malformed: 3, column: 'email' });
  const text = (await own.call('GET', `/api/v1/jobs/${job.id}/results.ndjson`)).text;
  t.match(text, '"n":12345678901234567890,"decision":null', 'digits that JavaScript would lose');
  const array = '[\n {"mail": "a@gmail.com", "note": "],[{\\"",\n "deep": [[1]] } , "b@gmail.com"]\n';
  const second = (await own.upload(array, JSON_TYPE)).body.job;
  t.match(second, { format: 'json', rows: 2, column: 'mail', columns: ['mail', 'note', 'deep', 'email'] });
  t.match(await ndjson(own, second.id), [
    { mail: 'a@gmail.com', note: '],[{"', deep: [[1]] },
    { email: 'b@gmail.com' },
  ]);
});

t.test('a form may carry the file, and its fields what the query says', async (t) => {
  const own = await account();
  const boundary = 'x'.repeat(30);
  const part = (head: string, body: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
  const form = [
    part('name="column"', 'contact'),
    part('name="file"; filename="list.csv"\r\nContent-Type: text/csv', 'contact,x\na@gmail.com,1\n'),
    `--${boundary}--\r\n`,
  ].join('');
  const answer = await own.upload(form, { 'content-type': `multipart/form-data; boundary=${boundary}` });
  t.equal(answer.status, 202, answer.text);
  t.match(answer.body.job, { name: 'list.csv', column: 'contact', distinct: 1 });
  const cut = await own.upload(form.slice(0, -boundary.length - 8), {
    'content-type': `multipart/form-data; boundary=${boundary}`,
  });
  t.match(cut, { status: 400, body: { code: JOB_CODES.unreadableFile, error: /last boundary/ } });
});

t.test('what cannot be read is refused in words, and leaves nothing behind', async (t) => {
  const own = await account();
  const wide = `email,${'x,'.repeat(300)}\n`;
  const cases: [string, string | Buffer, Record<string, string>, number, string, RegExp][] = [
    ['no column', 'a,b\n1,2\n', CSV, 400, JOB_CODES.noEmailColumn, /found "a", "b"/],
    ['no member', '{"a":1}\n', NDJSON, 400, JOB_CODES.noEmailColumn, /found "a"/],
    ['empty', '', CSV, 400, JOB_CODES.unreadableFile, /no rows/],
    ['header only', 'email\n', CSV, 400, JOB_CODES.unreadableFile, /no rows/],
    [
      'Latin-1 that says UTF-8',
      Buffer.from('email\nj\xfcrgen@gmail.com\n', 'latin1'),
      { 'content-type': 'text/csv; charset=utf-8' },
      400,
      JOB_CODES.unreadableFile,
      /UTF-8/,
    ],
    [
      'a picture that says CSV',
      Buffer.from('\x89PNG\r\n\x1a\nemail', 'latin1'),
      CSV,
      400,
      JOB_CODES.unreadableFile,
      /not text/,
    ],
    [
      'both',
      Buffer.from('email,ü\na@gmail.com,\xfc\n', 'latin1'),
      { 'content-type': 'application/json' },
      400,
      JOB_CODES.unreadableFile,
      /UTF-8|array/,
    ],
    ['an open quote', `email\n"${'a\n'.repeat(40_000)}`, CSV, 400, JOB_CODES.unreadableFile, /quote/],
    [
      'a short open quote',
      'email,name\nok@gmail.com,Ok\n"jane@gmail.com,Jane\nbob@x.com,"Bob\n',
      CSV,
      400,
      JOB_CODES.unreadableFile,
      /quote that opens at line 3/,
    ],
    ['an Excel file', Buffer.from('PK\x03\x04rest'), CSV, 400, JOB_CODES.unreadableFile, /Excel.*CSV/],
    ['one huge line', `email\n${'a'.repeat(200_000)}\n`, CSV, 400, JOB_CODES.unreadableFile, /characters/],
    ['a huge NDJSON line', `"${'a'.repeat(200_000)}`, NDJSON, 400, JOB_CODES.unreadableFile, /characters/],
    ['many columns', wide, CSV, 400, JOB_CODES.unreadableFile, /columns/],
    ['no array', '{"email":"a@gmail.com"}', JSON_TYPE, 400, JOB_CODES.unreadableFile, /array/],
    ['an array cut short', '[{"email":"a@gmail.com"},', JSON_TYPE, 400, JOB_CODES.unreadableFile, /array/],
    ['a picture', 'x', { 'content-type': 'image/png' }, 415, 'unsupported_media_type', /text\/csv/],
    ['no gzip', 'x', { ...CSV, 'content-encoding': 'gzip' }, 400, JOB_CODES.unreadableFile, /gzip/],
    [
      'half of a gzip',
      gzipSync('email\na@b.co\n').subarray(0, 25),
      GZIPPED,
      400,
      JOB_CODES.unreadableFile,
      /gzip/,
    ],
    ['a bomb', gzipSync('email\n'.repeat(20_000_000)), GZIPPED, 413, JOB_CODES.tooManyRows, /2,500 rows/],
    ['another coding', 'x', { ...CSV, 'content-encoding': 'br' }, 415, 'unsupported_media_type', /gzip/],
    [
      'a gzipped form',
      'x',
      { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' },
      415,
      'unsupported_media_type',
      /gzipped/,
    ],
    [
      'too many rows',
      `email\n${'a@gmail.com\n'.repeat(2_501)}`,
      CSV,
      413,
      JOB_CODES.tooManyRows,
      /2,500 rows/,
    ],
  ];
  for (const [name, file, headers, status, code, words] of cases) {
    const answer = await own.upload(file, headers);
    t.equal(answer.status, status, `${name}: ${answer.text}`);
    t.match(answer.body, { code, error: words }, name);
    if (code === JOB_CODES.tooManyRows)
      t.equal(answer.body.upgrade_url, '/api/v1/billing/subscription/', name);
  }
  t.match((await own.upload('a,b\n1,2\n', CSV, '?column=c')).body, {
    code: JOB_CODES.noEmailColumn,
    columns: ['a', 'b'],
  });
  t.same((await own.call('GET', '/api/v1/jobs/')).body.jobs, []);
  t.equal(await stores.db.bulkJob.count({ where: { accountId: own.owner.accountId } }), 0);
  t.match(
    await stores.db
      .$queryRaw`SELECT count(*)::int AS n FROM bulk_rows r LEFT JOIN bulk_jobs j ON j.id = r.job_id WHERE j.id IS NULL`,
    [{ n: 0 }],
  );
});

t.test('whatever a cell holds comes back as it was', async (t) => {
  const own = await account();
  const cells = [
    '=1+1',
    'a"b',
    '"q" and\r\nmore',
    "it's",
    '\u0000',
    'x\ny',
    '007',
    ' spaced ',
    '+49 30',
    '\u2028',
    '{}',
    '😀',
  ];
  const quoted = cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  const header = cells.map((_, i) => `c${i}`).join(',');
  const job = (await own.upload(`email,${header}\na@gmail.com,${quoted}\n`)).body.job;
  const [row] = await ndjson(own, job.id);
  t.strictSame(
    cells.map((_, i) => row?.[`c${i}`]),
    cells,
  );
  const csv = await own.call('GET', `/api/v1/jobs/${job.id}/results.csv`);
  const again = (await own.upload(csv.text)).body.job;
  const [twice] = await ndjson(own, again.id);
  t.strictSame(
    cells.map((_, i) => twice?.[`c${i}`]),
    cells,
    'through CSV and back',
  );
  t.ok(Object.hasOwn(twice ?? {}, 'verdict_decision'), 'and a result may be sent again');
  const escapes = '{"email":"b@gmail.com","lone":"\\ud800","nul":"\\u0000","__proto__":{"a":1}}\n';
  const odd = (await own.upload(escapes, NDJSON)).body.job;
  const text = (await own.call('GET', `/api/v1/jobs/${odd.id}/results.ndjson`)).text;
  t.match(text, '"lone":"\\ud800","nul":"\\u0000","__proto__":{"a":1}');
  t.equal((await own.call('GET', `/api/v1/jobs/${odd.id}/results/`)).status, 200);
});

t.test('one Idempotency-Key is one job, however often and at once it is sent', async (t) => {
  const own = await account();
  const headers = { ...CSV, 'idempotency-key': randomBytes(8).toString('hex') };
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => own.upload('email\na@gmail.com\n', headers)),
  );
  t.same(new Set(answers.map(({ status }) => status)), new Set([202]));
  t.equal(new Set(answers.map(({ body }) => body.job.id)).size, 1);
  t.equal((await own.upload('email\n', { ...CSV, 'idempotency-key': 'x' })).status, 400);
  t.equal(
    (await own.upload('email\nb@gmail.com\n', { ...CSV, 'idempotency-key': 'x' })).status,
    202,
    'a refusal is no job',
  );
});

t.test('a gzipped file is read like a plain one', async (t) => {
  const own = await account();
  const answer = await own.upload(gzipSync('email,name\na@gmail.com,x\nb@gmail.com,y\n'), GZIPPED);
  t.match([answer.status, answer.body.job], [202, { rows: 2, distinct: 2, columns: ['email', 'name'] }]);
});

t.test('results are compressed, and a broken download goes on where it broke', async (t) => {
  const own = await account();
  const rows = Array.from({ length: 1_200 }, (_, i) => `user${i}@gmail.com,"näme\n${i}"\n`).join('');
  const { id } = (await own.upload(`email,name\n${rows}`)).body.job;
  const read = (file: string, headers: Record<string, string> = {}) =>
    plane.app.inject({
      url: `/api/v1/jobs/${id}/${file}`,
      headers: { 'x-api-key': own.apiKey, ...headers },
    });
  t.match((await read('results.csv', { range: 'bytes=5-' })).headers, {
    'accept-ranges': undefined,
    etag: undefined,
  });
  t.equal((await own.call('POST', `/api/v1/jobs/${id}/cancel/`)).status, 200);

  const page = await read('results/?limit=100', { 'accept-encoding': 'br' });
  t.equal(
    Number(page.headers['content-length']),
    page.rawPayload.length,
    'a page has a length: it is no stream',
  );
  t.equal(JSON.parse(brotliDecompressSync(page.rawPayload).toString()).results.length, 100);

  for (const file of ['results.csv', 'results.ndjson', 'results.csv?kind=duplicate']) {
    const whole = await read(file);
    const bytes = whole.rawPayload;
    t.match([whole.statusCode, whole.headers['accept-ranges']], [200, 'bytes'], file);
    const etag = String(whole.headers.etag);
    const packed = await read(file, { 'accept-encoding': 'br' });
    t.match(packed.headers, { 'content-encoding': 'br', etag: `W/${etag}` });
    t.same(brotliDecompressSync(packed.rawPayload), bytes);

    for (const [range, from, to] of [
      ['bytes=0-0', 0, 0],
      ['bytes=70-', 70, bytes.length - 1],
      ['bytes=-10', bytes.length - 10, bytes.length - 1],
      [`bytes=50-${bytes.length + 5}`, 50, bytes.length - 1],
    ] as const) {
      const part = await read(file, { range, 'if-range': etag, 'accept-encoding': 'br' });
      t.equal(part.statusCode, 206, `${file} ${range}`);
      t.equal(part.headers['content-range'], `bytes ${from}-${to}/${bytes.length}`);
      t.equal(Number(part.headers['content-length']), to - from + 1);
      t.same(part.rawPayload, bytes.subarray(from, to + 1));
    }
    for (const range of [`bytes=${bytes.length}-`, 'bytes=9-8', 'bytes=-0']) {
      const beyond = await read(file, { range });
      t.match(
        [beyond.statusCode, beyond.headers['content-range'], beyond.json().code],
        [416, `bytes */${bytes.length}`, 'range_not_satisfiable'],
        range,
      );
    }
    for (const ignored of [
      { range: 'bytes=1-2,5-6' },
      { range: 'lines=1-' },
      { range: 'bytes=-' },
      { range: 'bytes=5-', 'if-range': '"another"' },
    ]) {
      const answer = await read(file, ignored);
      t.equal(answer.statusCode, 200, JSON.stringify(ignored));
      t.same(answer.rawPayload, bytes);
    }
  }
  const before = (await read('results.csv')).headers.etag;
  await stores.db.bulkAddress.updateMany({
    where: { jobId: id, number: 3 },
    data: { hash: null, email: null },
  });
  t.not((await read('results.csv')).headers.etag, before, 'erasing a person makes another file');
});

t.test('an empty body is no body where none is wanted, whatever its type says', async (t) => {
  const own = await account();
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    const headers = { 'content-type': type, 'content-length': '0' };
    const { id } = (await own.upload('email\na@gmail.com\n')).body.job;
    const paused = await own.call('POST', `/api/v1/jobs/${id}/start/`, undefined, headers);
    t.equal(paused.status, 200, `${type}: ${paused.text}`);
    const erased = await own.call('DELETE', `/api/v1/jobs/${id}/`, undefined, headers);
    t.equal(erased.status, 200, `${type}: ${erased.text}`);
  }
  const wanted = await own.owner.call('POST', '/api/v1/dashboard/keys/', undefined, JSON_TYPE);
  t.equal(wanted.status, 400, 'where one is wanted its absence is told');
});

t.test('three jobs are active at most, however many are sent at once', async (t) => {
  const own = await account();
  const answers = await Promise.all(Array.from({ length: 6 }, () => own.upload('email\na@gmail.com\n')));
  t.same(answers.map(({ status }) => status).sort(), [202, 202, 202, 429, 429, 429]);
  t.match(
    answers.find(({ status }) => status === 429),
    {
      body: { code: JOB_CODES.tooManyJobs },
      headers: { 'retry-after': /\d+/ },
    },
  );
  const [{ id }] = (await own.call('GET', '/api/v1/jobs/')).body.jobs;
  t.match((await own.call('POST', `/api/v1/jobs/${id}/cancel/`)).body.job, { status: 'canceled' });
  t.equal((await own.upload('email\na@gmail.com\n')).status, 202);
});

t.test('a job starts, pauses and ends only from where that leads', async (t) => {
  const own = await account();
  const auto = (await own.upload('email\na@gmail.com\n', CSV, '?start=auto')).body.job;
  t.match(auto, { status: 'running', seconds_left: 1 });
  t.ok(auto.started_at);
  const { id } = (await own.upload('email\na@gmail.com\n')).body.job;
  const act = (name: string) => own.call('POST', `/api/v1/jobs/${id}/${name}/`);
  t.match(await act('pause'), { status: 409, body: { code: JOB_CODES.jobState, error: /ready/ } });
  t.match(await act('start'), { status: 200, body: { job: { status: 'running' } } });
  t.match(await act('start'), { status: 409 });
  t.match(await act('pause'), {
    status: 200,
    body: { job: { status: 'paused', paused_because: 'request' } },
  });
  t.match(await act('start'), { status: 200, body: { job: { status: 'running', paused_because: null } } });
  t.match(await act('cancel'), { status: 200, body: { job: { status: 'canceled', quote: null } } });
  for (const name of ['start', 'pause', 'cancel']) t.match(await act(name), { status: 409 });
  t.equal((await own.call('DELETE', `/api/v1/jobs/${id}/`)).status, 200);
  t.equal((await own.call('GET', `/api/v1/jobs/${id}/`)).status, 404);
  t.equal(await stores.db.bulkRow.count({ where: { jobId: id } }), 0);
  t.equal(await stores.db.bulkAddress.count({ where: { jobId: id } }), 0);
});

t.test('a key or a token will do, a token names the key, and both must agree', async (t) => {
  const own = await account();
  const other = await account();
  const send = (call: Call, query = '') => call('POST', `/api/v1/jobs/${query}`, 'email\na@gmail.com\n', CSV);
  t.match(await send(own.owner.call), { status: 400, body: { error: /api_key_id/ } });
  t.match(await send(own.owner.call, `?api_key_id=${own.keyId}`), { status: 202 });
  t.match(await send(own.owner.call, `?api_key_id=${other.keyId}`), {
    status: 403,
    body: { code: 'key_not_owned' },
  });
  t.match(await send(own.call, `?api_key_id=${other.keyId}`), {
    status: 403,
    body: { code: 'key_mismatch' },
  });
  const both: Call = (method, path, body, headers) =>
    other.call(method, path, body, { ...headers, authorization: `Bearer ${own.owner.access}` });
  t.match(await both('GET', '/api/v1/jobs/'), { status: 403, body: { code: 'key_not_owned' } });
  t.match(await plane.call('GET', '/api/v1/jobs/'), { status: 401, body: { code: 'invalid_api_key' } });
  await own.owner.call('PATCH', `/api/v1/dashboard/keys/${own.keyId}/`, { active: false });
  t.match(await own.call('GET', '/api/v1/jobs/'), { status: 403, body: { code: 'key_inactive' } });
  t.match(await send(own.owner.call, `?api_key_id=${own.keyId}`), {
    status: 403,
    body: { code: 'key_inactive' },
  });
});

t.test('a file is charged to a live key: a test key is told so', async (t) => {
  const { owner, call } = await account();
  const made = (await owner.call('POST', '/api/v1/dashboard/keys/', { name: 'CI', mode: 'test' })).body;
  const refusal = { status: 400, body: { code: 'invalid_request', errors: [{ field: 'api_key_id' }] } };
  const byKey = callerOf(plane.app, { 'x-api-key': made.api_key });
  t.match(await byKey('POST', '/api/v1/jobs/', 'email\na@gmail.com\n', CSV), {
    status: 403,
    body: { code: 'scope_missing' },
  });
  const named = `/api/v1/jobs/?api_key_id=${made.key.id}`;
  t.match(await owner.call('POST', named, 'email\na@gmail.com\n', CSV), refusal);
  t.same((await call('GET', '/api/v1/jobs/')).body.jobs, []);
});

t.test('rows that are invalid or repeat an address are read and saved apart', async (t) => {
  const own = await account();
  const { id } = (await own.upload('email,n\na@gmail.com,1\nnone,2\nA@gmail.com,3\nb@gmail.com,4\n')).body
    .job;
  const numbers = async (kind: string) =>
    (await own.call('GET', `/api/v1/jobs/${id}/results/?kind=${kind}`)).body.results.map(
      ({ input }: { input: { n: string } }) => input.n,
    );
  t.strictSame(await numbers('invalid'), ['2']);
  t.strictSame(await numbers('duplicate'), ['3']);
  const csv = (await own.call('GET', `/api/v1/jobs/${id}/results.csv?kind=duplicate`)).text;
  t.equal(csv.trim().split('\r\n').length, 2, 'the header and the row');
  t.equal((await own.call('GET', `/api/v1/jobs/${id}/results/?kind=other`)).status, 400);
});

t.test('files are kept as far as the plan and the disk have room', async (t) => {
  const file = join(t.testdir(), 'plans.json');
  const large = { ...PLANS.free, bulk_kept_mb: 2 };
  await writeFile(file, JSON.stringify({ free: { ...PLANS.free, bulk_kept_mb: 1 }, large }));
  const rows = Array.from(
    { length: 400 },
    (_, i) => `p${i}@gmail.com,${randomBytes(2_000).toString('hex')}\n`,
  );
  const send = async (settings: object) => {
    const small = await startControlPlane(t, stores, { PLANS_FILE: file, ...settings });
    const owner = await small.customer();
    const { api_key } = (await owner.call('POST', '/api/v1/dashboard/keys/', { name: 'bulk' })).body;
    const call = callerOf(small.app, { 'x-api-key': api_key });
    return () => call('POST', '/api/v1/jobs/', `email,pad\n${rows.join('')}`, CSV);
  };
  const upload = await send({});
  t.equal((await upload()).status, 202);
  t.match(
    await upload(),
    {
      status: 429,
      body: {
        code: JOB_CODES.tooManyJobs,
        error: /fill the 1 MB/,
        upgrade_url: '/api/v1/billing/subscription/',
      },
    },
    'the plan keeps a megabyte, and a larger one more',
  );
  const full = await send({ BULK_STORE_MB_MAX: 1 });
  t.match(await full(), { status: 503, body: { code: 'unavailable' } }, 'the disk is everybody’s');
});

t.test('a download that waits for its turn leaves the queue with its reader', async (t) => {
  const { owner, call, upload } = await account();
  const { id } = (await upload('email\na@gmail.com\n')).body.job;
  const origin = await plane.app.listen({ host: '127.0.0.1', port: 0 });
  const others = new EventEmitter();
  const finished = once(others, 'finished');
  const enter = (name: string) => {
    const asking = new AbortController();
    let hasBegun = false;
    const read = () => {
      hasBegun = true;
      return finished;
    };
    const refusal = plane.deps.largeWork(name, read, { signal: asking.signal }).then(
      () => null,
      (error: Error) => error,
    );
    return { hasBegun, leave: () => asking.abort(), refusal };
  };
  const isFull = async () => {
    const { hasBegun, leave, refusal } = enter('acc_next');
    leave();
    return !hasBegun && (await refusal)?.name !== 'AbortError';
  };
  let last = enter('acc_0');
  for (let i = 1; !(await isFull()); i++) last = enter(`acc_${i}`);

  for (const format of ['csv', 'ndjson']) {
    const path = `/api/v1/jobs/${id}/results.${format}`;
    t.match(
      await call('GET', path, undefined, { 'accept-encoding': 'gzip' }),
      { status: 503, body: { code: 'unavailable' }, headers: { 'content-encoding': undefined } },
      'no room, and no half file',
    );
    last.leave();
    const reader = new AbortController();
    const headers = { authorization: `Bearer ${owner.access}` };
    const download = fetch(`${origin}${path}`, { headers, signal: reader.signal });
    await eventually(isFull);
    reader.abort();
    await t.rejects(download, { name: 'AbortError' });
    await eventually(async () => !(await isFull()));
    t.pass(`the place of the reader of ${format} is free`);
    last = enter(`acc_${format}`);
  }
  others.emit('finished');
  await eventually(async () => (await call('GET', `/api/v1/jobs/${id}/results.csv`)).status === 200);
});

/** More than is parsed while its sender waits: two stored parts, with more than one batch of rows in the first. */
const large = (rows: number, last = '') =>
  `email,note\n${Array.from({ length: rows }, (_, i) => `p${i}@gmail.com,${'x'.repeat(180)}\n`).join('')}${last}`;
const files = fileWork(stores.db, createLogger('control-plane', 'silent'));
/** As control planes do until no file is due. */
async function parse(): Promise<void> {
  const parsing = runWork(stores.db, files, t.error);
  await parsing.idle();
  await parsing.close();
}
const leftOf = async (jobId: string) => ({
  parts: await stores.db.bulkFile.count({ where: { jobId } }),
  rows: await stores.db.bulkRow.count({ where: { jobId } }),
  addresses: await stores.db.bulkAddress.count({ where: { jobId } }),
});

t.test('a large file is answered when its bytes are stored, and parsed afterwards', async (t) => {
  const own = await account();
  const sent = await own.upload(large(2_000), CSV, '?name=large.csv');
  t.match(sent, {
    status: 202,
    body: { job: { status: 'parsing', phase: 'parsing', rows: 0, quote: null, columns: [] } },
  });
  const { id } = sent.body.job;
  t.match(await leftOf(id), { parts: 2, rows: 0 });
  const act = (name: string) => own.call('POST', `/api/v1/jobs/${id}/${name}/`);
  t.match(await act('pause'), { status: 409, body: { code: JOB_CODES.jobState } });
  t.match(await own.call('GET', `/api/v1/jobs/${id}/results.csv`), { status: 409 });
  t.match(await act('start'), { status: 200, body: { job: { status: 'parsing', started_at: null } } });
  await parse();
  t.match((await own.call('GET', `/api/v1/jobs/${id}/`)).body.job, {
    ...{ status: 'running', phase: 'checking', column: 'email', columns: ['email', 'note'] },
    ...{ rows: 2_000, distinct: 2_000, malformed: 0, started_at: String, quote: { checks_needed: 2_000 } },
  });
  t.same(await leftOf(id), { parts: 0, rows: 2_000, addresses: 2_000 });
});

t.test('a fault at the beginning of a large file is refused, one behind it fails the job', async (t) => {
  const own = await account();
  const refusals: [file: string | Buffer, status: number, code: string][] = [
    [large(2_000).replace('email', 'name').replaceAll('@', ' '), 400, JOB_CODES.noEmailColumn],
    [Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(300_000)]), 400, JOB_CODES.unreadableFile],
    [`email\n${'a@gmail.com\n'.repeat(30_000)}`, 413, JOB_CODES.tooManyRows],
  ];
  for (const [file, status, code] of refusals)
    t.match(await own.upload(file), { status, body: { code } }, code);
  t.equal(await stores.db.bulkJob.count({ where: { accountId: own.owner.accountId } }), 0);

  const failures: [file: string, code: string, because: RegExp][] = [
    [large(2_000, '"open,\n'), JOB_CODES.unreadableFile, /^The file cannot be read: the quote .* line 2002 /],
    [large(2_501), JOB_CODES.tooManyRows, /^Your plan allows at most 2,500 rows a file\.$/],
  ];
  for (const [file, failed_code, failed_because] of failures) {
    const headers = { ...CSV, 'idempotency-key': 'again' };
    const send = () =>
      own.call('POST', '/api/v1/jobs/', Readable.from(file.match(/[\s\S]{1,65536}/g) ?? []), headers);
    const { id } = (await send()).body.job;
    t.equal((await send()).body.job.id, id, 'one key is one job while it is parsed');
    await parse();
    const failed = { status: 'failed', phase: null, failed_code, failed_because, finished_at: String };
    t.match((await own.call('GET', `/api/v1/jobs/${id}/`)).body.job, failed);
    t.same(await leftOf(id), { parts: 0, rows: 0, addresses: 0 });
    t.match(await stores.db.bulkJob.findUnique({ where: { id } }), { bytes: 0n, idempotencyKey: null });
  }
  t.equal((await own.upload(large(2_000), { ...CSV, 'idempotency-key': 'again' })).status, 202);
  await parse();
});

t.test('a file is parsed on behind its last stored row when its process stops or dies', async (t) => {
  const own = await account();
  const { id } = (await own.upload(large(2_000))).body.job;
  const stops = {
    aborted: false,
    throwIfAborted() {
      this.aborted = true;
      throw new Error('stopped');
    },
  };
  const [stopped] = await takeStoredFile(stores.db);
  if (!stopped) throw new Error('not taken');
  const afterMs = await files.run(stopped, stops as unknown as AbortSignal);
  t.equal(afterMs, 0);
  await putBack(stores.db, files.queue, stopped, 0);
  t.match(await leftOf(id), { parts: 2 });

  const [dead] = await takeStoredFile(stores.db);
  t.match(dead, { id, parts: 2 }, 'it was given back at once');
  if (!dead) return;
  async function* killed() {
    for await (const part of readFileParts(stores.db, dead as TakenFile)) {
      yield part;
      await eventually(async () => (await leftOf(id)).rows === 1_000);
      throw new Error('killed');
    }
  }
  await t.rejects(storeUpload(stores.db, { ...dead, jobId: id, source: killed() }), /killed/);
  await parse();
  t.match(await leftOf(id), { parts: 2, rows: 1_000 }, 'nobody takes it before its lease is over');
  t.match((await own.call('GET', `/api/v1/jobs/${id}/`)).body.job, { status: 'parsing', rows: 1_000 });
  await stores.db.$executeRaw`UPDATE bulk_jobs SET leased_until = now() WHERE id = ${id}`;
  await parse();
  t.match((await own.call('GET', `/api/v1/jobs/${id}/`)).body.job, {
    ...{ status: 'ready', rows: 2_000, distinct: 2_000, duplicates: 0, malformed: 0 },
  });
  const rows = await ndjson(own, id);
  t.same(
    rows.map(({ email }) => email),
    Array.from({ length: 2_000 }, (_, i) => `p${i}@gmail.com`),
  );
  await t.rejects(
    readFileParts(stores.db, dead).next(),
    /another process/,
    'the one that was thought dead stops',
  );
});

t.test('a file that ends every process is given up, and a deleted one is not parsed', async (t) => {
  const own = await account();
  const { id } = (await own.upload(large(2_000))).body.job;
  await stores.db.$executeRaw`UPDATE bulk_jobs SET lease = 20 WHERE id = ${id}`;
  await parse();
  t.match((await own.call('GET', `/api/v1/jobs/${id}/`)).body.job, { status: 'failed', failed_code: null });
  const second = (await own.upload(large(2_000))).body.job.id;
  t.equal((await own.call('DELETE', `/api/v1/jobs/${second}/`)).status, 200);
  await parse();
  t.same(await leftOf(second), { parts: 0, rows: 0, addresses: 0 });
});

t.test('results come in pages in the order of the file', async (t) => {
  const own = await account();
  const emails = Array.from({ length: 1_205 }, (_, i) => `p${i}@gmail.com`);
  const { id } = (await own.upload(`email\n${emails.join('\n')}\n`)).body.job;
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await own.call('GET', `/api/v1/jobs/${id}/results/?limit=500${cursor}`);
    seen.push(...body.results.map(({ input }: { input: { email: string } }) => input.email));
    cursor = body.has_more ? `&cursor=${body.next_cursor}` : '';
  } while (cursor !== '');
  t.strictSame(seen, emails);
  t.same((await own.call('GET', `/api/v1/jobs/${id}/results/?decision=block`)).body.results, []);
  t.equal((await own.call('GET', `/api/v1/jobs/${id}/results/?decision=no`)).status, 400);
});

t.test('the terms of a key hold for its jobs too', async (t) => {
  const own = await account();
  const change = (terms: object) =>
    own.owner
      .call('PATCH', `/api/v1/dashboard/keys/${own.keyId}/`, terms)
      .then(({ status }) => t.equal(status, 200));
  const list = () => own.call('GET', '/api/v1/jobs/');
  await change({ allowed_ips: ['203.0.113.0/24'] });
  t.match(await list(), { status: 403, body: { code: 'address_not_allowed' } });
  await change({ allowed_ips: ['127.0.0.0/8', '203.0.113.0/24'] });
  t.equal((await list()).status, 200);
  await change({ scopes: ['usage'] });
  t.match(await list(), { status: 403, body: { code: 'scope_missing' } });
  await change({ scopes: ['check', 'jobs'] });
  t.equal((await list()).status, 200);
  await stores.db.apiKey.update({
    where: { id: own.keyId },
    data: { expiresAt: new Date(Date.now() - 1_000) },
  });
  t.match(await list(), { status: 403, body: { code: 'key_expired' } });
});
