import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Revision, revisionsQuery } from '../../api/revisions.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { DecisionMark } from '../../ui/verdict/DecisionMark.tsx';
import { RevisionActions } from './RevisionActions.tsx';

/** Checks that the public lists would decide differently now. */
export function RevisionsPage() {
  const revisions = useInfiniteQuery(revisionsQuery);
  return (
    <>
      <PageHeader
        title="Second looks"
        intro="When public lists change, Verdict looks again at your checks of the last 30 days. These would be decided differently now. Nothing was changed or billed. Open one for its evidence."
      />
      <PagedTable
        query={revisions}
        what="the second looks"
        label="Second looks"
        columns={COLUMNS}
        rowKey={({ id, created_at: at }) => `${id} ${at}`}
        empty={
          <EmptyState
            title="No decision would change"
            text="Today’s lists would decide every check of the last 30 days as it was decided."
          >
            <Link to="/checks">All checks</Link>
          </EmptyState>
        }
      />
    </>
  );
}

const COLUMNS: Column<Revision>[] = [
  {
    name: 'Address',
    render: ({ id, email }) => (
      <Link to="/checks/$id" params={{ id }} data-row="">
        {email ? <bdi>{email}</bdi> : <em>erased</em>}
      </Link>
    ),
  },
  { name: 'Was', width: '106px', render: ({ from }) => <DecisionMark decision={from} /> },
  { name: 'Would be', width: '106px', render: ({ to }) => <DecisionMark decision={to} /> },
  { name: 'Checked (UTC)', width: '140px', from: 'desktop', time: ({ checked_at: at }) => at },
  { name: 'Changed (UTC)', time: ({ created_at: at }) => at },
  { width: '150px', from: 'tablet', actions: (revision) => <RevisionActions revision={revision} /> },
];
