import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { call } from '../../api/call.ts';
import { REVIEWS, type Review, reviewsQuery } from '../../api/reviews.ts';
import { useAction } from '../../ui/action/use-action.ts';
import { formatCount } from '../../ui/format/format.ts';
import { EmptyState } from '../../ui/page/EmptyState.tsx';
import { PageHeader } from '../../ui/page/PageHeader.tsx';
import type { Column } from '../../ui/table/columns.tsx';
import { PagedTable } from '../../ui/table/PagedTable.tsx';
import { REVIEW_TEXTS as TEXTS } from './texts.ts';

/** The checks that wait for a person. */
export function ReviewPage() {
  const reviews = useInfiniteQuery(reviewsQuery);
  const { id: open } = useParams({ strict: false });
  const navigate = useNavigate();
  const starting = useAction(() => call('POST /dashboard/review/claim/', { body: {} }), {
    stale: [REVIEWS],
    failed: 'Could not take a check',
    done: ({ id }) => (id === null ? { message: 'Other analysts hold the rest.' } : ''),
    then: ({ id }) =>
      id !== null && navigate({ to: '/checks/review/$id', params: { id }, resetScroll: false }),
  });
  const waiting = reviews.data?.first.waiting ?? 0;
  return (
    <>
      <PageHeader
        title="Review"
        intro={
          <>
            {waiting > 0 && `${formatCount(waiting)} waiting. `}
            Checks that Verdict leaves to you, oldest first. <Link to="/checks">All checks</Link>
          </>
        }
      >
        {waiting > 0 && (
          <Button loading={starting.isPending} onClick={() => starting.mutate()}>
            Start reviewing
          </Button>
        )}
      </PageHeader>
      <PagedTable
        query={reviews}
        what="the checks to review"
        label="Checks to review"
        columns={COLUMNS}
        rowKey={({ id }) => id}
        {...(open ? { current: open } : {})}
        empty={
          <EmptyState title="Nothing to review" text={TEXTS.empty}>
            <Link to="/checks">All checks</Link>
          </EmptyState>
        }
      />
      <Outlet />
    </>
  );
}

const COLUMNS: Column<Review>[] = [
  {
    name: 'Address',
    render: ({ id, email }) => (
      <Link to="/checks/review/$id" params={{ id }} data-row="" resetScroll={false}>
        {email ? <bdi>{email}</bdi> : <em>erased</em>}
      </Link>
    ),
  },
  { name: 'Score', width: '58px', figure: true, render: ({ risk_score: score }) => score },
  {
    name: 'First reason',
    width: '28%',
    from: 'desktop',
    render: ({ reason }) => <span title={reason ?? ''}>{reason}</span>,
  },
  { name: 'IP', width: '150px', from: 'desktop', render: ({ ip }) => <span title={ip ?? ''}>{ip}</span> },
  { name: 'Held by', width: '92px', from: 'tablet', render: ({ claim }) => TEXTS.claims[claim] },
  { name: 'Time (UTC)', time: ({ created_at: at }) => at },
];
