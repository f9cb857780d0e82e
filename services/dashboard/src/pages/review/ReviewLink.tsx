import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { waitingQuery } from '../../api/reviews.ts';
import { formatCount } from '../../ui/format/format.ts';

/** Leads to the checks that wait for a person, with their number. */
export function ReviewLink({ beside }: { beside?: React.ReactNode }) {
  const waiting = useQuery(waitingQuery).data?.waiting ?? 0;
  return (
    <>
      <Link to="/checks/review">{waiting === 0 ? 'Review' : `${formatCount(waiting)} to review`}</Link>{' '}
      {beside}
    </>
  );
}
