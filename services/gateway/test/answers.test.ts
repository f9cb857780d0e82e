import type { Logger } from '@verdict/service-kit/logger.js';
import type { PastStep, Step, Tracing } from '@verdict/telemetry/tracing.js';
import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { createAccountLoad } from '../src/answers/account-load.js';
import { observeAnswers } from '../src/answers/observe-answers.js';
import { perSecond } from '../src/answers/per-second.js';
import { stagesOf } from '../src/answers/stages.js';

const STAGES = { checks: 3, parsedAtMs: 102, lookedAtMs: 103, scoredAtMs: 150, steppedAtMs: 158 };
const request = (own: object = {}) =>
  ({
    id: 'req_1',
    ip: '203.0.113.7',
    raw: { socket: {} },
    method: 'POST',
    headers: {},
    routeOptions: { url: '/api/v1/check/' },
    credentials: { key: { accountId: 'acc_1', keyId: 'key_1', credential: 'c' }, token: null },
    stages: STAGES,
    ...own,
  }) as unknown as FastifyRequest;

function observer({ sampled = false, traces = true } = {}) {
  const lines: Record<string, unknown>[] = [];
  const kept: PastStep[] = [];
  const counted: unknown[][] = [];
  const used: unknown[][] = [];
  const step = { traceId: 'a'.repeat(32), traceparent: sampled ? 'sampled' : null } as Step;
  const traced = {
    tracing: { keep: (_step, past) => kept.push(past) } as Partial<Tracing> as Tracing,
    stepOf: () => step,
  };
  const warn = (fields: object, msg: string) => void lines.push({ ...fields, msg });
  const observe = observeAnswers({
    log: { warn: warn as Logger['warn'] } as Partial<Logger> as Logger,
    slowMs: 50,
    load: { note: (...args) => void counted.push(args) },
    keyUses: { note: (...args) => void used.push(args) },
    ...(traces && { traced }),
  });
  return { observe, lines, kept, counted, used };
}

t.test('a slow answer leaves a line and a trace with its time by stage', async (t) => {
  const { observe, lines, kept, counted } = observer();
  t.equal(observe(request(), 200, 100, 160), 'a'.repeat(32));
  t.strictSame(lines, [
    {
      msg: 'answer was slow',
      requestId: 'req_1',
      method: 'POST',
      route: '/api/v1/check/',
      status: 200,
      accountId: 'acc_1',
      keyId: 'key_1',
      checks: 3,
      tookMs: 60,
      parseMs: 2,
      lookMs: 1,
      scoringMs: 47,
      stepMs: 8,
      sendMs: 2,
      traceId: 'a'.repeat(32),
    },
  ]);
  t.match(kept, [
    { name: 'POST /api/v1/check/', attributes: { 'verdict.kept': 'slow' }, failure: undefined },
  ]);
  t.strictSame(
    kept[0]?.parts.map(({ name }) => name),
    ['parse', 'look', 'scoring', 'step', 'send'],
  );
  t.strictSame(counted, [['acc_1', 3, 200]]);
});

t.test('a failed answer keeps its trace, a usual one leaves nothing', async (t) => {
  const { observe, lines, kept } = observer();
  t.equal(observe(request(), 200, 100, 149), undefined);
  t.equal(observe(request(), 429, 100, 149), undefined);
  t.strictSame([lines, kept], [[], []]);
  t.equal(observe(request(), 503, 100, 149), 'a'.repeat(32));
  t.strictSame(lines, [], 'the refusal log has its line');
  t.match(kept, [{ failure: 'answered 503', attributes: { 'verdict.kept': 'failed' } }]);
});

t.test('a trace that was sampled anyway is an exemplar and is not recorded twice', async (t) => {
  const { observe, kept } = observer({ sampled: true });
  t.equal(observe(request(), 200, 100, 101), 'a'.repeat(32));
  t.equal(observe(request(), 200, 100, 200), 'a'.repeat(32));
  t.strictSame(kept, []);
});

t.test('without traces the line names the trace of the client', async (t) => {
  const { observe, lines } = observer({ traces: false });
  const traceparent = `00-${'b'.repeat(32)}-${'c'.repeat(16)}-00`;
  t.equal(observe(request({ headers: { traceparent } }), 200, 100, 200), undefined);
  t.equal(observe(request({ headers: { traceparent: 'x' } }), 200, 100, 200), undefined);
  t.match(lines, [{ traceId: 'b'.repeat(32) }, { traceId: undefined }]);
});

t.test('a request that failed ends with the stage that it failed in', async (t) => {
  const failed = { ...STAGES, scoredAtMs: Number.NaN, steppedAtMs: Number.NaN };
  t.strictSame(
    stagesOf(failed, 100, 500).map(({ name, beganAtMs, endedAtMs }) => [name, endedAtMs - beganAtMs]),
    [
      ['parse', 2],
      ['look', 1],
      ['scoring', 397],
    ],
  );
  t.strictSame(stagesOf(undefined, 100, 500), [], 'one whose body was never parsed has none');
});

t.test('more slow answers than twenty a second are counted in one line', async (t) => {
  const { observe, lines } = observer();
  for (let i = 0; i < 25; i++) observe(request(), 200, 0, 500);
  observe(request(), 200, 0, 1_500);
  t.equal(lines.filter(({ msg }) => msg === 'answer was slow').length, 21);
  t.strictSame(
    lines.filter(({ msg }) => msg !== 'answer was slow'),
    [{ msg: 'more answers were slow or failed', times: 5 }],
  );
  const leftOut: number[] = [];
  const take = perSecond(1, (times) => leftOut.push(times));
  t.strictSame([take(0), take(999), take(1_000), take(2_000)], [true, false, true, true]);
  t.strictSame(leftOut, [1]);
});

t.test(
  'a check says its client and how many IPs it left out; other requests and refusals say only where a key was used',
  async (t) => {
    const { observe, used } = observer();
    const headers = { 'user-agent': 'verdict-node/0.2.0 Node.js/24.0.0', 'verdict-dropped-ips': '2' };
    observe(request({ headers }), 200, 0, 1);
    observe(request({ headers: { ...headers, 'verdict-dropped-ips': '9999' } }), 200, 0, 1);
    observe(request({ headers: { 'verdict-dropped-ips': '-1e9' } }), 200, 0, 1);
    observe(request({ headers, stages: undefined }), 200, 0, 1);
    observe(request({ headers, credentials: { key: null, token: null } }), 200, 0, 1);
    observe(request({ headers }), 429, 0, 1);
    observe(request({ headers, raw: { socket: null } }), 499, 0, 1);
    const key = { accountId: 'acc_1', keyId: 'key_1', credential: 'c' };
    const ip = '203.0.113.7';
    t.strictSame(used, [
      [key, ip, headers['user-agent'], 2],
      [key, ip, headers['user-agent'], 3],
      [key, ip, undefined, 0],
      [key, ip],
      [key, ip],
      [key, 'gone'],
    ]);
  },
);

t.test('the load of an account is sent once, the largest first where there are many', async (t) => {
  const sent: { accountId: string; answered: number; refused: number }[][] = [];
  const load = createAccountLoad({
    send: async (loads) => void sent.push([...loads]),
    onError: (error) => t.fail(String(error)),
    everyMs: 3_600_000,
  });
  for (let i = 0; i < 600; i++) load.note(`acc_${i}`, i + 1, i % 2 === 0 ? 200 : 429);
  load.note('acc_599', 400, 200);
  await load.close();
  t.equal(sent.length, 1);
  t.equal(sent[0]?.length, 500);
  t.strictSame(sent[0]?.[0], { accountId: 'acc_599', answered: 400, refused: 600 });
});
