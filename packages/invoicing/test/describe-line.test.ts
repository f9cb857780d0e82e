import type { StatementLine } from '@verdict/domain/statement-line.js';
import t from 'tap';
import { describeLine } from '../src/describe-line.js';

const described = (line: StatementLine) => describeLine(line, 'EUR');

t.test('checks beyond the days of a plan name what they are part of', async (t) => {
  const line = { kind: 'plan_checks', plan: 'scale', checks: 2_500, price: 49_900, of_checks: 2_500_000 };
  const { description, quantity, price } = described({ ...line, amount: 50 } as StatementLine);
  t.equal(description, 'Checks above the pro rata share of scale');
  t.equal(quantity, '2,500');
  t.match(price, /499\.00.* for 2,500,000/);
});

t.test('amounts carried over and late checks name their month', async (t) => {
  t.equal(
    described({ kind: 'carried_forward', amount: 500 } as StatementLine).description,
    'Carried forward to the next statement',
  );
  t.match(
    described({ kind: 'brought_forward', month: '2026-10', amount: -500 } as StatementLine).description,
    /^Brought forward from .*2026/,
  );
  const late = { kind: 'overage', plan: 'free', checks: 10, price_per_1000: 100, amount: 1 };
  t.equal(described(late as StatementLine).description, 'Checks beyond plan free');
  t.match(
    described({ ...late, month: '2026-10' } as StatementLine).description,
    /^Late checks of .*2026 beyond plan free$/,
  );
});

t.test('a discount names its rate', async (t) => {
  const line = { kind: 'discount', percent: 1_250, amount: -1_525 } as StatementLine;
  t.match(described(line), { description: 'Discount', price: '12.5 %', amount: /-15\.25/ });
  t.match(
    described({ ...line, month: '2026-10' } as StatementLine).description,
    /^Discount on late checks of .*2026$/,
  );
});
