// `npm run bench:answers -- --against DIR`: the same generated requests to this checkout and to another one, in the same
// order for each customer. Prints every answer and stored row that differs beyond ids, times and keyed hashes. `--added PATH`
// declares what this checkout has more: a field of answers (signals.mx) or a column (check_logs.mx).
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startDnsServer } from '@verdict/local-stack/start-dns-server.js';
import pg from 'pg';
import { Agent, request } from 'undici';
import { inRoot } from '../../scripts/lib/paths.mjs';
import { createProgress } from '../../scripts/lib/progress.mjs';
import { openDrain } from '../lib/drain.mjs';
import { startBenchStack } from '../lib/stack.mjs';
import { compareAnswers } from './compare-answers.mjs';
import { generateRequests, NAMES } from './generate-requests.mjs';
import { FEATURES, makeCustomer } from './make-customers.mjs';

const { values: options } = parseArgs({
  options: {
    against: { type: 'string' },
    requests: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '45' },
    added: { type: 'string', multiple: true, default: [] },
  },
});
if (!options.against) throw new Error('Name another checkout: npm run bench:answers -- --against DIR');

const SHOWN_MAX = 20;
const TEXT_MAX = 300;
const [BEFORE, AFTER] = [40, 100];
const MX = { mx: [[10, 'mail.bench-corp.com']] };
const CANARY = 'canary.bench-corp.com';
const KNOWN = [CANARY, ...[1, 2, 3].map((n) => `company-${n}.bench-corp.com`), 'listed.bench-corp.com'];
/** Differ by nature: ids, the moment, and the rate that time gives back. */
const VOLATILE = ['date', 'x-request-id', 'ratelimit-remaining', 'x-quota-reset', 'retry-after'];
const OWN = ['id', 'account_id', 'key_id', 'request_id', 'created_at', 'email_hash', 'mailbox_hash'];

const progress = createProgress();
const dns = await startDnsServer(Object.fromEntries(KNOWN.map((name) => [name, MX])));
// Test addresses are looked at first, and how often that may be depends on time.
const env = { DNS_SERVERS: dns.address, DNS_CANARY: CANARY, LOOKS_PER_SECOND: '100000' };
const agent = new Agent({ connections: 2 * FEATURES.length });
const stacks = [];

try {
  for (const [name, root] of [
    ['here', inRoot()],
    ['there', path.resolve(options.against)],
  ]) {
    const stack = await startBenchStack({ name: `answers-${name}`, root, env });
    stacks.push({ name, stack, drain: openDrain(stack.redis_url) });
  }
  await progress.step('mail servers', () => Promise.all(stacks.map(settleMail)));
  const answers = await progress.step(`${options.requests} requests`, askAll);
  for (const { drain } of stacks) await drain.wait();
  const rows = await progress.step('stored rows', () => Promise.all(stacks.map(readRows)));
  report(answers, rows);
} finally {
  for (const { stack, drain } of stacks) {
    drain.close();
    await stack.stop();
  }
  await agent.close();
  await dns.close();
}

/** Waits until scoring knows the mail servers of every name: a look-up that takes too long is answered without them. */
async function settleMail({ stack }) {
  for (const name of NAMES) {
    for (let isKnown = false; !isKnown; ) {
      const { text } = await ask(stack.base_url, stack.api_key, {
        path: 'check/?expand=signals',
        body: JSON.stringify({ email: `somebody@${name}` }),
      });
      isKnown = JSON.parse(text).signals.mx_unknown === false;
      if (!isKnown) await delay(200);
    }
  }
}

/** Each customer sends one request after the other to both stacks, so that what a check meets there is the same. */
async function askAll(note) {
  const each = Math.ceil(Number(options.requests) / FEATURES.length);
  let done = 0;
  const lanes = FEATURES.map(async (feature, lane) => {
    const keys = await Promise.all(stacks.map(({ stack }) => makeCustomer(stack.base_url, feature)));
    const answers = [];
    for (const asked of generateRequests(Number(options.seed) + lane, each)) {
      const pair = await Promise.all(stacks.map(({ stack }, i) => ask(stack.base_url, keys[i], asked)));
      answers.push({ feature, asked, pair });
      if (++done % 500 === 0) note(`${done}`);
    }
    return answers;
  });
  return (await Promise.all(lanes)).flat();
}

/** A rate is a matter of the clock, so a request that it refused is sent once more when there is room again. */
async function ask(baseUrl, key, asked) {
  const answer = await askOnce(baseUrl, key, asked);
  if (answer.status !== 429 || JSON.parse(answer.text).code !== 'rate_limited') return answer;
  await delay(answer.waitSeconds * 1000);
  return askOnce(baseUrl, key, asked);
}

async function askOnce(baseUrl, key, { path: route, body, idempotencyKey }) {
  const answer = await request(`${baseUrl}${route}`, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      'content-type': 'application/json',
      'x-api-key': key,
      ...(idempotencyKey && { 'idempotency-key': idempotencyKey }),
    },
    body,
  });
  const text = await answer.body.text();
  const headers = Object.entries(answer.headers).map(([name, value]) =>
    VOLATILE.includes(name) ? name : `${name}: ${value}`,
  );
  const ids = text.match(/log_\w{26}/g) ?? [];
  const waitSeconds = Number(answer.headers['retry-after'] ?? 0);
  return { text, ids, status: answer.statusCode, waitSeconds, headers, body: plain(text) };
}

function shown({ status, headers, body }) {
  return [status, ...headers, body].join('\n');
}

/** The text without ids and times. */
function plain(text) {
  return text
    .replaceAll(/\b(log|req|key)_[0-9A-Z]{26}\b/g, '$1_')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)/g, 'T')
    .replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://here');
}

async function readRows({ stack }) {
  const client = new pg.Client({ connectionString: stack.database_url });
  await client.connect();
  try {
    const rows = new Map();
    for (const table of ['check_logs', 'test_check_logs', 'check_subjects']) {
      const found = await client.query(`SELECT * FROM ${table}`);
      for (const row of found.rows) rows.set(`${table} ${row.id}`, row);
    }
    return rows;
  } finally {
    await client.end();
  }
}

function report(answers, [here, there]) {
  const differences = [];
  const columns = { here: new Set(), there: new Set() };
  const added = new Map(options.added.map((name) => [name, 0]));
  const note = (name) => added.set(name, added.get(name) + 1);
  let rows = 0;
  for (const { feature, asked, pair } of answers) {
    const [one, other] = pair;
    const additions = compareAnswers(one, other, options.added);
    if (!additions) {
      differences.push({ what: `answer (${feature})`, asked, here: shown(one), there: shown(other) });
      continue;
    }
    for (const name of additions) note(name);
    for (const [i, id] of one.ids.entries()) {
      for (const table of ['check_logs', 'test_check_logs', 'check_subjects']) {
        const [a, b] = [here.get(`${table} ${id}`), there.get(`${table} ${other.ids[i]}`)];
        if (!a && !b) continue;
        rows++;
        for (const name of Object.keys(a ?? {})) if (b && !(name in b)) columns.here.add(`${table}.${name}`);
        for (const name of Object.keys(b ?? {})) if (a && !(name in a)) columns.there.add(`${table}.${name}`);
        const [left, right] = [rowText(a, b), rowText(b, a)];
        if (left !== right)
          differences.push({ what: `${table} (${feature})`, asked, here: left, there: right });
      }
    }
  }
  const byStatus = new Map();
  for (const { pair } of answers) {
    const [{ status }] = pair;
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }
  const counts = [...byStatus].map(([status, count]) => `${count} x ${status}`);
  const kinds = new Map();
  for (const difference of differences) {
    const [left, right] = contrast(difference.here, difference.there);
    const kind = `${left} / ${right}`.replaceAll(/\d+/g, '#');
    kinds.set(kind, { difference, left, right, count: (kinds.get(kind)?.count ?? 0) + 1 });
  }
  for (const { difference, left, right, count } of [...kinds.values()].slice(0, SHOWN_MAX)) {
    console.log(`\n${count} x ${difference.what}: ${JSON.stringify(difference.asked).slice(0, TEXT_MAX)}`);
    console.log(`  here   ${left}\n  there  ${right}`);
  }
  const undeclared = [...columns.there].map((name) => `there: ${name}`);
  for (const name of columns.here) {
    if (added.has(name)) note(name);
    else undeclared.push(`here: ${name}`);
  }
  if (undeclared.length > 0) console.log(`\nColumns of one side only, ${undeclared.join(', ')}`);
  console.log(
    `\n${answers.length} requests (${counts.join(', ')}), ${here.size} and ${there.size} rows stored, ${rows} compared`,
  );
  for (const [name, times] of added)
    console.log(`Declared addition ${name}: ${times === 0 ? 'NOT FOUND' : `${times} x`}`);
  const unused = [...added.values()].filter((times) => times === 0).length;
  console.log(`${differences.length} differences${added.size > 0 ? ' beyond declared additions' : ''}`);
  process.exitCode = differences.length + undeclared.length + unused === 0 ? 0 : 1;
}

/** The first line that differs, from a little before the difference on. */
function contrast(one, other) {
  const [lines, others] = [one, other].map((text) =>
    text.split('\n').filter((line) => !line.startsWith('content-length')),
  );
  const at = lines.findIndex((line, i) => line !== others[i]);
  const [line = '', otherLine = ''] = [lines[at], others[at]];
  let from = 0;
  while (line[from] === otherLine[from] && from < line.length) from++;
  return [line, otherLine].map((text) => text.slice(Math.max(0, from - BEFORE), from + AFTER));
}

/** The columns that both releases have; of a keyed hash only whether there is one. */
function rowText(row, other) {
  if (!row || !other) return row ? 'stored' : 'absent';
  const shared = Object.keys(row).filter((name) => name in other);
  return JSON.stringify(
    Object.fromEntries(shared.map((name) => [name, OWN.includes(name) ? row[name] !== null : row[name]])),
  );
}
