import t from 'tap';
import { compareAnswers } from '../../bench/answers/compare-answers.mjs';

const answer = (body: unknown, headers: readonly string[] = []) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { status: 200, headers: [`content-length: ${text.length}`, ...headers], body: text };
};
const older = {
  success: true,
  signals: { alias: false },
  results: [{ check: { signals: { alias: true } } }],
};
const newer = {
  success: true,
  signals: { alias: false, mx: { hosts: [] } },
  results: [{ check: { signals: { alias: true, mx: null } } }],
};
const ADDED = ['signals.mx'];

t.test('equal answers are equal, declared additions or not', async (t) => {
  t.same(compareAnswers(answer(older), answer(older), []), []);
  t.same(compareAnswers(answer(newer), answer(newer), ADDED), []);
});

t.test('a declared addition is named, and an undeclared one is a difference', async (t) => {
  t.same(compareAnswers(answer(newer), answer(older), ADDED), ADDED);
  t.equal(compareAnswers(answer(newer), answer(older), []), null);
  t.equal(compareAnswers(answer(newer), answer(older), ['signals.alias']), null);
});

t.test('beside a declared addition nothing else may differ', async (t) => {
  const differs = (one: unknown, headers?: readonly string[]) =>
    t.equal(compareAnswers(answer(one, headers), answer(older), ADDED), null, JSON.stringify(one));
  differs({ ...newer, success: false });
  differs({ ...newer, more: 1 });
  differs({ results: newer.results, signals: newer.signals, success: true });
  differs(JSON.stringify(newer).replace(':true', ': true'));
  differs(newer, ['idempotent-replayed: true']);
  t.equal(compareAnswers({ ...answer(newer), status: 400 }, answer(older), ADDED), null, 'the status');
});

t.test('an addition of the other side is a difference', async (t) => {
  t.equal(compareAnswers(answer(older), answer(newer), ADDED), null);
});
