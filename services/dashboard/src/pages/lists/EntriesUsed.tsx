import { useQuery } from '@tanstack/react-query';
import { subscriptionQuery } from '../../api/billing.ts';
import { formatCount } from '../../ui/format/format.ts';
import panel from '../../ui/page/Panel.module.css';
import { ChangePlan } from '../../ui/quota/ChangePlan.tsx';

/** Counts the entries of a list beside its limit, with the way to a larger plan once it is full. */
export function EntriesUsed({ total, entries_max: max }: { total: number; entries_max: number }) {
  const { data } = useQuery(subscriptionQuery);
  const isFull = total >= max && data?.plans.some(({ list_entries: entries }) => entries > max);
  return (
    <p className={panel.note} style={{ marginLeft: 'auto', alignSelf: 'center' }}>
      {`${formatCount(total)} of ${formatCount(max)} entries`}
      {isFull && (
        <>
          {'. '}
          <ChangePlan />
        </>
      )}
    </p>
  );
}
