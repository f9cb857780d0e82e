import { useQuery } from '@tanstack/react-query';
import { subscriptionQuery } from '../../api/billing.ts';
import { formatCount } from '../../ui/format/format.ts';
import { ChangePlan } from '../../ui/quota/ChangePlan.tsx';
import { planForRows } from './plan-for-rows.ts';

/** A way out for a file with more rows than the plan takes. */
export function LargerPlan({ rows }: { rows: number | undefined }) {
  const { data } = useQuery(subscriptionQuery);
  const plan = data && planForRows(data.plans, rows ?? 0);
  return (
    <p>
      {rows !== undefined && `Your file has about ${formatCount(rows)} rows. `}
      {plan ? (
        <>
          {`The ${plan.name} plan takes ${formatCount(plan.bulk_rows_max)}. `}
          <ChangePlan />
        </>
      ) : (
        'Split the file, or contact support for a larger limit.'
      )}
    </p>
  );
}
