import t from 'tap';
import type { LogDetail } from '../src/api/logs.ts';
import { actionWords, detailWords } from '../src/pages/audit/action-words.ts';
import { explanationOf } from '../src/pages/logs/explanation.ts';

t.test('audited actions are said in words, unknown ones too', async (t) => {
  t.equal(actionWords('key.revoked'), 'Revoked a key');
  t.equal(actionWords('month.closed_late'), 'Month: closed late');
  t.equal(
    detailWords({ monthly_quota: 500, scopes: ['check', 'usage'], by: 'operator' }),
    'monthly quota 500, scopes check and usage',
  );
});

t.test('an explanation for a ticket has the verdict, the reasons and the link', async (t) => {
  const log: LogDetail = {
    id: 'log_01K8YJ3T9GQ0VZ4M5N6P7R8S9T',
    key_id: 'key_1',
    mode: 'live',
    email: 'a@mailinator.com',
    ip: null,
    decision: 'block',
    risk_score: 90,
    signals: { disposable_email: true, mx_valid: true, free_provider: false },
    reasons: ['Disposable domain.', 'Unknown sender'],
    policy: null,
    outcome: null,
    created_at: '2026-11-16T09:29:01.000000+00:00',
    tag: null,
    mx: null,
    request_id: 'req_1',
    datasets: '',
    factors: [],
    outcomes: [],
  };
  t.equal(
    explanationOf(log, 'https://verdict.example'),
    [
      'a@mailinator.com was checked on 16 November 2026 at 09:29 UTC.',
      'The decision was block, with a risk score of 90 out of 100.',
      'Reasons: Disposable domain; Unknown sender.',
      'https://verdict.example/checks/log_01K8YJ3T9GQ0VZ4M5N6P7R8S9T',
    ].join('\n'),
  );
  t.match(
    explanationOf({ ...log, email: null, reasons: [] }, ''),
    /^An address that was erased.*No risk was found\./s,
  );
});
