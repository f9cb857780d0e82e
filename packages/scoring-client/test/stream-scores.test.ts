import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SCORING_VERSION } from '@verdict/contracts/scoring-api.js';
import { sampleVerdict } from '@verdict/local-stack/sample-verdict.js';
import t, { type Test } from 'tap';
import { Pool } from 'undici';
import type { Scored, ScoreEntry } from '../src/scored.js';
import { SilentReplica } from '../src/silent-replica.js';
import { streamScores } from '../src/stream-scores.js';

const VERDICT = sampleVerdict();
VERDICT.extra.suggestion = 'jürgen@gmail.com';
const DATASETS = {
  disposable_domains: { count: 1, version: '2026-11-01' },
  free_providers: { version: '2026-11-01' },
  role_prefixes: { version: '2026-11-01' },
};
const line = (checks: { i: number; verdict: number }[], verdicts: unknown[] = [VERDICT]) =>
  `${JSON.stringify({ v: SCORING_VERSION, datasets: DATASETS, verdicts, checks })}\n`;

/** A listener with prepared answers, and a batch of this many checks posted to it. */
async function post(
  t: Test,
  count: number,
  answer: (response: ServerResponse) => void,
  firstByteMs = 60_000,
) {
  const server = createServer((_request, response) => answer(response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  t.teardown(async () => {
    await pool.destroy();
    server.close();
  });
  const answers: Promise<Scored>[] = [];
  const entries = Array.from({ length: count }, (_, i): ScoreEntry => {
    const entry = { item: { email: `${i}@a.example`, accountId: 'acc' }, settled: false } as ScoreEntry;
    const settle = (act: () => void) => {
      entry.settled = true;
      act();
    };
    answers.push(
      new Promise((resolve, reject) => {
        Object.assign(entry, {
          resolve: (scored: Scored) => settle(() => resolve(scored)),
          reject: (error: unknown) => settle(() => reject(error)),
        });
      }),
    );
    return entry;
  });
  for (const one of answers) one.catch(() => {});
  return { sent: streamScores(pool, '{}', firstByteMs, entries, undefined), answers };
}

t.test('a line that comes in pieces, cut inside a letter, is read as one', async (t) => {
  const bytes = Buffer.from(line([{ i: 0, verdict: 0 }]));
  const PIECE = bytes.indexOf(Buffer.from('ü')) + 1;
  const { sent, answers } = await post(t, 1, (response) => {
    let at = 0;
    const next = () => {
      response.write(bytes.subarray(at, at + PIECE));
      at += PIECE;
      if (at < bytes.length) setImmediate(next);
      else response.end();
    };
    next();
  });
  await sent;
  t.equal((await answers[0])?.verdict.extra.suggestion, 'jürgen@gmail.com');
});

t.test('the first line lets the next batch go; a slow check is answered by a later one', async (t) => {
  let finish = () => {};
  const { sent, answers } = await post(t, 2, (response) => {
    response.write(line([{ i: 1, verdict: 0 }]));
    finish = () => response.end(line([{ i: 0, verdict: 0 }]));
  });
  await sent;
  t.equal((await answers[1])?.verdict.risk_score, VERDICT.risk_score);
  finish();
  t.equal((await answers[0])?.verdict.risk_score, VERDICT.risk_score);
});

t.test('checks that were found alike share one verdict', async (t) => {
  const { answers } = await post(t, 2, (response) =>
    response.end(line([0, 1].map((i) => ({ i, verdict: 0 })))),
  );
  t.equal((await answers[0])?.verdict, (await answers[1])?.verdict);
});

t.test('a flag of a later release is no reason to refuse its line', async (t) => {
  const later = { ...VERDICT, extra: { ...VERDICT.extra, flag_of_tomorrow: true } };
  const { sent, answers } = await post(t, 1, (response) =>
    response.end(line([{ i: 0, verdict: 0 }], [later])),
  );
  await sent;
  t.match((await answers[0])?.verdict, VERDICT);
});

t.test('what is no line of verdicts fails the batch at once, with its reason', async (t) => {
  const bad = [
    line([{ i: 0, verdict: 0 }], [{ ...VERDICT, risk_score: 101 }]),
    line([{ i: 0, verdict: 0 }]).replace('"v":2', '"v":1'),
    'not JSON\n',
  ];
  for (const text of bad) {
    const { sent } = await post(t, 1, (response) => response.end(text));
    await t.rejects(sent, text.slice(0, 12));
  }
});

t.test('a late answer of a silent replica still counts', async (t) => {
  const asked = new EventEmitter<{ asked: [ServerResponse] }>();
  const request = once(asked, 'asked');
  const { sent, answers } = await post(t, 1, (response) => asked.emit('asked', response), 1_000);
  await t.rejects(sent, new SilentReplica());
  const [response] = await request;
  response.end(line([{ i: 0, verdict: 0 }]));
  t.strictSame((await answers[0])?.verdict, VERDICT);
});

t.test('a stream that ends early fails what is still open', async (t) => {
  const { sent, answers } = await post(t, 2, (response) => response.end(line([{ i: 0, verdict: 0 }])));
  await sent;
  t.ok(await answers[0]);
  await t.rejects(answers[1] as Promise<Scored>, /ended early/);
});
