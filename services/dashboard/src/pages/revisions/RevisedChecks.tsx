import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { revisedQuery } from '../../api/revisions.ts';
import { plural } from '../../ui/format/format.ts';
import { Section } from '../../ui/page/Section.tsx';

/** Says on the Overview how many checks the lists would decide differently now. */
export function RevisedChecks() {
  const recent = useQuery(revisedQuery).data?.recent ?? 0;
  return (
    <Section
      title="Second looks"
      note={
        recent === 0
          ? 'Today’s lists would decide every check of the last 30 days as it was decided.'
          : `We changed our mind about ${plural(recent, 'sign-up')}: the lists know more now.`
      }
      aside={<Link to="/checks/second-looks">{recent === 0 ? 'All' : 'See which'}</Link>}
    />
  );
}
