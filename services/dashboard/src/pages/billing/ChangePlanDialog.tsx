import { ME } from '../../api/account.ts';
import { BILLING, type Subscription } from '../../api/billing.ts';
import { call } from '../../api/call.ts';
import { OVERVIEW } from '../../api/usage.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { FormDialog } from '../../ui/dialog/FormDialog.tsx';
import { formatCount, formatLongDay, formatMoney, plural } from '../../ui/format/format.ts';
import { monthShare } from './month-share.ts';
import classes from './Plans.module.css';
import { overQuota, priceOf, priceToCome } from './plan-words.ts';
import { BILLING_TEXTS, CHANGE_TEXTS as TEXTS } from './texts.ts';

type Plan = Subscription['plans'][number];

/** Everything that changes with a plan, before it changes: price, checks, rate, retention, and the cost of this month. */
export function ChangePlanDialog({
  plan,
  subscription,
  onClose,
}: {
  plan: Plan;
  subscription: Subscription;
  onClose: () => void;
}) {
  const onRequest = subscription.plan_changes === 'operator';
  const smaller = plan.checks_per_month < subscription.checks_included;
  const starts = formatLongDay(subscription.resets_at);
  const price = priceOf(plan);
  const change = useAction(
    (_: FormData) => call('PUT /billing/subscription/', { body: { plan: plan.name } }),
    {
      stale: [BILLING, OVERVIEW, ME],
      then: onClose,
      done: onRequest
        ? { title: `You requested the ${plan.name} plan`, message: TEXTS.operator }
        : smaller
          ? { title: `The ${plan.name} plan starts next month`, message: TEXTS.down(starts) }
          : {
              title: `You are on the ${plan.name} plan`,
              message: `${formatCount(plan.checks_per_month)} checks a month from now on.`,
            },
    },
  );
  const { days, amount } = monthShare(plan.price_month, subscription.period, Date.now());
  const present = subscription.plans.find(({ current }) => current);
  return (
    <FormDialog
      title={onRequest ? `Request ${plan.name}` : `Change to ${plan.name}`}
      submit={onRequest ? 'Send request' : TEXTS.submit(plan.name, price)}
      action={change}
      onClose={onClose}
    >
      {present && <Comparison from={present} to={plan} />}
      <p>
        {onRequest
          ? TEXTS.operator
          : smaller
            ? TEXTS.down(starts)
            : TEXTS.up(
                formatCount(plan.checks_per_month),
                formatMoney(amount, plan.currency),
                plural(days, 'day'),
                formatCount(plan.upgrade.checks),
                formatMoney(plan.price_month, plan.currency),
              )}
      </p>
      {plan.next_price && <p>{priceToCome(plan)}</p>}
      {present && plan.retention_days < present.retention_days && (
        <p>{`Checks are kept for ${formatCount(plan.retention_days)} days instead of ${formatCount(present.retention_days)}. Older ones are removed.`}</p>
      )}
    </FormDialog>
  );
}

function Comparison({ from, to }: { from: Plan; to: Plan }) {
  const rows: readonly (readonly [name: string, of: (plan: Plan) => string])[] = [
    [BILLING_TEXTS.price, priceOf],
    [BILLING_TEXTS.perMonth, (plan) => formatCount(plan.checks_per_month)],
    [BILLING_TEXTS.perSecond, (plan) => formatCount(plan.checks_per_second)],
    [BILLING_TEXTS.beyond, overQuota],
    [BILLING_TEXTS.retention, (plan) => BILLING_TEXTS.days(formatCount(plan.retention_days))],
  ];
  return (
    <table className={classes.comparison}>
      <thead>
        <tr>
          <td />
          <th scope="col">{`${from.name} (now)`}</th>
          <th scope="col">{to.name}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, of]) => (
          <tr key={name} data-changed={of(from) !== of(to) || undefined}>
            <th scope="row">{name}</th>
            <td>{of(from)}</td>
            <td>{of(to)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
